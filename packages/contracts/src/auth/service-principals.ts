import { z } from 'zod'
import { declareEndpoints } from '../core/endpoint/endpoint.ts'
import { resourceName } from '../core/shape/resource-name.ts'
import { previousExpiresAt, SecretOverlap } from '../core/shape/secret-overlap.ts'
import { listQuery } from '../core/shape/shape.ts'
import {
  environments,
  ServicePrincipal,
  ServicePrincipalWithSecret,
  scopeList,
  servicePrincipalPath,
} from './shapes/shapes.ts'

/** Service principals of a workspace. */
export const servicePrincipalEndpoints = declareEndpoints('auth', {
  createServicePrincipal: {
    method: 'POST',
    path: '/v1/auth/admin/service-principals',
    summary: 'Create a service principal; its secret is shown once',
    description:
      'A service principal is the account of a program: it exchanges its `client_id` and `client_secret` for access tokens. The secret is only in this response. Its scopes cannot exceed yours.',
    scope: 'auth:admin',
    credentials: ['bearer'],
    body: z.strictObject({
      name: resourceName(100).describe('Name for people'),
      scopes: scopeList.describe('What its tokens may do at most'),
      environment: z.enum(environments).optional().describe('Your own label for where it runs'),
    }),
    created: ServicePrincipalWithSecret,
    location: '/v1/auth/admin/service-principals/{client_id}',
    secret: { idField: 'client_id' },
    errors: ['scope_escalation', 'quota_exceeded'],
    audit: { action: 'service_principal.created', target: 'service_principal', field: 'client_id' },
  },
  listServicePrincipals: {
    method: 'GET',
    path: '/v1/auth/admin/service-principals',
    summary: 'List service principals',
    description: 'Lists the service principals of the workspace, newest first, without their secrets.',
    scope: 'auth:admin',
    credentials: ['bearer'],
    query: listQuery({
      status: z.enum(['active', 'disabled']).optional(),
      environment: z
        .enum(environments)
        .optional()
        .describe('Only service principals that are marked for this environment'),
    }),
    list: ServicePrincipal,
  },
  getServicePrincipal: {
    method: 'GET',
    path: '/v1/auth/admin/service-principals/{client_id}',
    summary: 'Read a service principal',
    description: 'The response has its scopes and status, and when it was last used and its secret last rotated.',
    scope: 'auth:admin',
    credentials: ['bearer'],
    params: servicePrincipalPath,
    volatile: ['last_used_at'],
    ok: ServicePrincipal,
  },
  updateServicePrincipal: {
    method: 'PATCH',
    path: '/v1/auth/admin/service-principals/{client_id}',
    summary: 'Rename, restrict, disable or enable a service principal',
    description:
      'Changes the fields that are sent. With `status` `disabled` it gets no tokens and those it has stop working within a second; `active` enables it again. New scopes apply to tokens that exist.',
    scope: 'auth:admin',
    credentials: ['bearer'],
    params: servicePrincipalPath,
    body: z.strictObject({
      name: resourceName(100).optional().describe('Another name for people'),
      scopes: scopeList.optional().describe('Replaces what its tokens may do; applies to tokens that exist'),
      environment: z
        .enum(environments)
        .nullable()
        .optional()
        .describe('Your own label for where it runs; null removes it'),
      status: z
        .enum(['active', 'disabled'])
        .optional()
        .describe('`disabled` refuses its tokens and gives no more; `active` enables it again'),
    }),
    volatile: ['last_used_at'],
    ok: ServicePrincipal,
    errors: ['scope_escalation'],
    audit: { action: 'service_principal.updated', target: 'service_principal', field: 'client_id' },
  },
  deleteServicePrincipal: {
    method: 'DELETE',
    path: '/v1/auth/admin/service-principals/{client_id}',
    summary: 'Delete a service principal; its tokens stop working within a second',
    description: 'Cannot be undone. To stop a program for some time, set its `status` to `disabled` instead.',
    scope: 'auth:admin',
    credentials: ['bearer'],
    params: servicePrincipalPath,
    deleted: 'client_id',
    audit: { action: 'service_principal.deleted', target: 'service_principal', field: 'client_id' },
  },
  rotateServicePrincipalSecret: {
    method: 'POST',
    path: '/v1/auth/admin/service-principals/{client_id}/rotate-secret',
    summary: 'Replace the secret of a service principal; the old one works during the overlap',
    description:
      'Returns a new secret for the same `client_id`. The previous one remains valid for `overlap_seconds`; 0 ends it at once. `client_secret` is only in this response.',
    scope: 'auth:admin',
    credentials: ['bearer'],
    params: servicePrincipalPath,
    body: SecretOverlap,
    ok: ServicePrincipalWithSecret.extend({ previous_expires_at: previousExpiresAt }).meta({
      id: 'RotatedServicePrincipal',
    }),
    secret: { idField: 'client_id' },
    errors: ['scope_escalation'],
    audit: { action: 'service_principal.secret_rotated', target: 'service_principal', field: 'client_id' },
  },
})
