import { z } from 'zod'
import { declareEndpoints } from '../core/endpoint/endpoint.ts'
import { resourceName } from '../core/shape/resource-name.ts'
import { previousExpiresAt, SecretOverlap } from '../core/shape/secret-overlap.ts'
import { listQuery } from '../core/shape/shape.ts'
import { ApiKey, ApiKeyWithSecret, apiKeyPath, NewApiKey } from './shapes/shapes.ts'

/** API keys of a workspace. `auth:keys` covers the keys the caller created; those of others take `auth:admin` too. */
export const apiKeyEndpoints = declareEndpoints('auth', {
  createApiKey: {
    method: 'POST',
    path: '/v1/auth/api-key',
    summary: 'Create a workspace API key; the key is shown once',
    description:
      'The key acts for the workspace with the given scopes, by default those of the caller. `api_key` is only in this response: store it at once. Use a key per program, so that each can be revoked alone.',
    scope: 'auth:keys',
    credentials: ['bearer'],
    body: NewApiKey,
    created: ApiKeyWithSecret,
    location: '/v1/auth/api-key/{key_id}',
    secret: { idField: 'key_id' },
    errors: ['scope_escalation', 'quota_exceeded'],
    audit: { action: 'api_key.created', target: 'api_key', field: 'key_id' },
  },
  listApiKeys: {
    method: 'GET',
    path: '/v1/auth/api-key',
    summary: 'List API keys, without their secrets',
    description: 'Lists the keys the caller created; with `auth:admin` those of the whole workspace.',
    scope: 'auth:keys',
    credentials: ['bearer'],
    query: listQuery({}),
    list: ApiKey,
  },
  getApiKey: {
    method: 'GET',
    path: '/v1/auth/api-key/{key_id}',
    summary: 'Read an API key, without its secret',
    description: 'The response has the last four characters of the key, its scopes, and when it was last used.',
    scope: 'auth:keys',
    credentials: ['bearer'],
    params: apiKeyPath,
    volatile: ['last_used_at'],
    ok: ApiKey,
  },
  updateApiKey: {
    method: 'PATCH',
    path: '/v1/auth/api-key/{key_id}',
    summary: 'Rename an API key',
    description: 'Changes the name only; scopes and expiry of a key cannot be changed. Create another key instead.',
    scope: 'auth:keys',
    credentials: ['bearer'],
    params: apiKeyPath,
    body: z.strictObject({
      name: resourceName(100).nullable().optional().describe('Name for people; null removes it'),
    }),
    volatile: ['last_used_at'],
    ok: ApiKey,
    audit: { action: 'api_key.updated', target: 'api_key', field: 'key_id' },
  },
  deleteApiKey: {
    method: 'DELETE',
    path: '/v1/auth/api-key/{key_id}',
    summary: 'Delete an API key; it stops working within a second',
    description: 'Revokes the key and its earlier secrets. Requests that use it are refused with 401.',
    scope: 'auth:keys',
    credentials: ['bearer'],
    params: apiKeyPath,
    deleted: 'key_id',
    audit: { action: 'api_key.deleted', target: 'api_key', field: 'key_id' },
  },
  rotateApiKey: {
    method: 'POST',
    path: '/v1/auth/api-key/{key_id}/rotate',
    summary: 'Replace the secret of an API key; the old one works during the overlap',
    description:
      'Returns a new secret for the same key, with its scopes and name. The previous secret remains valid for `overlap_seconds`, so that programs can change without interruption; 0 ends it at once. `api_key` is only in this response.',
    scope: 'auth:keys',
    credentials: ['bearer'],
    params: apiKeyPath,
    body: SecretOverlap,
    ok: ApiKeyWithSecret.extend({ previous_expires_at: previousExpiresAt }).meta({ id: 'RotatedApiKey' }),
    secret: { idField: 'key_id' },
    errors: ['scope_escalation'],
    audit: { action: 'api_key.rotated', target: 'api_key', field: 'key_id' },
  },
})
