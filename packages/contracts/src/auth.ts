import { z } from 'zod'
import { principalTypes } from './caller.ts'
import { endpoint } from './endpoint.ts'
import { id } from './id.ts'
import { scopes } from './scope.ts'
import { listQuery, text, timestamp } from './shape.ts'

const scopeNames = z.array(z.enum(scopes)).min(1)
const overlap = z.strictObject({ overlap_seconds: z.number().int().min(0).max(604_800).default(0) })

const TokenRequest = z
  .object({
    grant_type: z.string().max(100).optional(),
    client_id: z.string().max(200).optional(),
    client_secret: z.string().max(500).optional(),
    workspace_id: z.string().max(200).optional(),
    scope: z.string().max(2000).optional(),
    resource: z.string().max(2000).optional(),
    refresh_token: z.string().max(1000).optional(),
  })
  .meta({ id: 'TokenRequest' })

const TokenResponse = z
  .object({
    access_token: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.number().int(),
    scope: z.string(),
  })
  .meta({ id: 'TokenResponse' })

export const ApiKey = z
  .object({
    key_id: id('akey'),
    name: z.string().nullable(),
    scopes: z.array(z.enum(scopes)),
    last4: z.string(),
    created_by: z.string(),
    creator_removed: z.boolean(),
    created_at: timestamp(),
    expires_at: timestamp().nullable(),
    last_used_at: timestamp().nullable(),
    rotated_at: timestamp().nullable(),
  })
  .meta({ id: 'ApiKey' })

const NewApiKey = z.strictObject({
  name: text(100).optional(),
  scopes: scopeNames.optional(),
  expires_at: timestamp().optional(),
})

const ApiKeySecret = z
  .object({
    key_id: id('akey'),
    api_key: z.string(),
    name: z.string().nullable(),
    scopes: z.array(z.enum(scopes)),
    last4: z.string(),
    created_at: timestamp(),
    expires_at: timestamp().nullable(),
  })
  .meta({ id: 'ApiKeyWithSecret' })

export const environments = ['production', 'sandbox', 'development'] as const

const ServicePrincipal = z
  .object({
    client_id: id('sp'),
    workspace_id: id('ws'),
    name: z.string(),
    scopes: z.array(z.enum(scopes)),
    environment: z.enum(environments).nullable(),
    status: z.enum(['active', 'disabled']),
    created_at: timestamp(),
    updated_at: timestamp(),
    last_used_at: timestamp().nullable(),
    secret_rotated_at: timestamp().nullable(),
  })
  .meta({ id: 'ServicePrincipal' })

const ServicePrincipalSecret = ServicePrincipal.extend({ client_secret: z.string() }).meta({
  id: 'ServicePrincipalWithSecret',
})

const Membership = z.object({ workspace_id: id('ws'), name: z.string(), role: z.string() })

const Profile = z
  .object({
    principal_type: z.enum(principalTypes),
    user_id: id('usr').optional(),
    email: z.string().optional(),
    name: z.string().nullable().optional(),
    locale: z.string().nullable().optional(),
    timezone: z.string().nullable().optional(),
    avatar_url: z.string().nullable().optional(),
    workspaces: z.array(Membership).optional(),
    client_id: id('sp').optional(),
    key_id: id('akey').optional(),
    environment: z.string().nullable().optional(),
    credential: z.object({
      type: z.enum(['bearer', 'api_key']),
      scopes: z.array(z.enum(scopes)),
      workspace_id: id('ws').nullable(),
      expires_at: timestamp().nullable(),
    }),
  })
  .meta({ id: 'Profile' })

const keyPath = z.object({ key_id: id('akey') })
const clientPath = z.object({ client_id: id('sp') })

const isLocale = (tag: string) => passes(() => Intl.getCanonicalLocales(tag))
/** Intl also takes offsets such as `+01:00`, which are no zones. */
const isTimeZone = (name: string) =>
  /^[A-Za-z]/.test(name) && passes(() => new Intl.DateTimeFormat('en', { timeZone: name }))

function passes(check: () => unknown): boolean {
  try {
    check()
    return true
  } catch {
    return false
  }
}

/** Tokens, keys and the machines that use them. */
export const auth = {
  exchangeToken: endpoint({
    id: 'auth.exchangeToken',
    method: 'POST',
    path: '/v1/auth/token',
    summary: 'Exchange the credentials of a service principal for an access token',
    description:
      'Form A: client_id and client_secret, in the body (JSON, or form-encoded with grant_type=client_credentials) or as HTTP Basic. RFC 6749 section 4.4; `resource` narrows the audience (RFC 8707).',
    credentials: 'none',
    input: 'form',
    headers: ['authorization', 'content-type'],
    body: TokenRequest,
    bare: TokenResponse,
    limitClass: 'token',
    errors: ['invalid_request', 'invalid_client', 'invalid_scope', 'invalid_target', 'unsupported_grant_type'],
  }),
  keySet: endpoint({
    id: 'auth.keySet',
    method: 'GET',
    path: '/.well-known/jwks.json',
    summary: 'The public keys that verify access tokens (RFC 7517)',
    credentials: 'none',
    bare: z.object({ keys: z.array(z.record(z.string(), z.unknown())) }),
  }),
  serverMetadata: endpoint({
    id: 'auth.serverMetadata',
    method: 'GET',
    path: '/.well-known/oauth-authorization-server',
    summary: 'Authorization server metadata (RFC 8414)',
    credentials: 'none',
    bare: z.record(z.string(), z.unknown()),
  }),
  me: endpoint({
    id: 'auth.me',
    method: 'GET',
    path: '/v1/auth/me',
    summary: 'The profile of the caller',
    workspace: 'none',
    ok: Profile,
  }),
  updateMe: endpoint({
    id: 'auth.updateMe',
    method: 'PATCH',
    path: '/v1/auth/me',
    summary: 'Update the profile of the signed-in user',
    workspace: 'none',
    principals: ['user'],
    body: z.strictObject({
      name: text(200).nullable().optional(),
      locale: text(35).refine(isLocale, 'must be a language tag (BCP 47)').nullable().optional(),
      timezone: text(64).refine(isTimeZone, 'must be an IANA time zone').nullable().optional(),
      avatar_url: z
        .url({ protocol: /^https$/ })
        .max(2000)
        .nullable()
        .optional(),
    }),
    ok: Profile,
    audit: { action: 'user.updated', target: 'user', field: 'user_id' },
  }),
  createApiKey: endpoint({
    id: 'auth.createApiKey',
    method: 'POST',
    path: '/v1/auth/api-key',
    summary: 'Create a workspace API key; the key is shown once',
    scope: 'auth:keys',
    credentials: ['bearer'],
    body: NewApiKey,
    created: ApiKeySecret,
    location: '/v1/auth/api-key/{key_id}',
    secret: { id: 'key_id' },
    errors: ['scope_escalation'],
    audit: { action: 'api_key.created', target: 'api_key', field: 'key_id' },
  }),
  listApiKeys: endpoint({
    id: 'auth.listApiKeys',
    method: 'GET',
    path: '/v1/auth/api-key',
    summary: 'List API keys, without their secrets',
    scope: 'auth:keys',
    credentials: ['bearer'],
    query: listQuery({}),
    list: ApiKey,
  }),
  getApiKey: endpoint({
    id: 'auth.getApiKey',
    method: 'GET',
    path: '/v1/auth/api-key/{key_id}',
    summary: 'Read an API key, without its secret',
    scope: 'auth:keys',
    credentials: ['bearer'],
    params: keyPath,
    ok: ApiKey,
  }),
  updateApiKey: endpoint({
    id: 'auth.updateApiKey',
    method: 'PATCH',
    path: '/v1/auth/api-key/{key_id}',
    summary: 'Rename an API key',
    scope: 'auth:keys',
    credentials: ['bearer'],
    params: keyPath,
    body: z.strictObject({ name: text(100).nullable().optional() }),
    ok: ApiKey,
    audit: { action: 'api_key.updated', target: 'api_key', field: 'key_id' },
  }),
  deleteApiKey: endpoint({
    id: 'auth.deleteApiKey',
    method: 'DELETE',
    path: '/v1/auth/api-key/{key_id}',
    summary: 'Delete an API key; it stops working within a second',
    scope: 'auth:keys',
    credentials: ['bearer'],
    params: keyPath,
    deleted: 'key_id',
    audit: { action: 'api_key.deleted', target: 'api_key', field: 'key_id' },
  }),
  rotateApiKey: endpoint({
    id: 'auth.rotateApiKey',
    method: 'POST',
    path: '/v1/auth/api-key/{key_id}/rotate',
    summary: 'Give an API key a new secret; the old one lives on for the overlap',
    scope: 'auth:keys',
    credentials: ['bearer'],
    params: keyPath,
    body: overlap,
    ok: ApiKeySecret,
    secret: { id: 'key_id' },
    errors: ['scope_escalation'],
    audit: { action: 'api_key.rotated', target: 'api_key', field: 'key_id' },
  }),
  createServicePrincipal: endpoint({
    id: 'auth.createServicePrincipal',
    method: 'POST',
    path: '/v1/auth/admin/service-principals',
    summary: 'Create a service principal; its secret is shown once',
    scope: 'auth:admin',
    credentials: ['bearer'],
    body: z.strictObject({ name: text(100), scopes: scopeNames, environment: z.enum(environments).optional() }),
    created: ServicePrincipalSecret,
    location: '/v1/auth/admin/service-principals/{client_id}',
    secret: { id: 'client_id' },
    errors: ['scope_escalation'],
    audit: { action: 'service_principal.created', target: 'service_principal', field: 'client_id' },
  }),
  listServicePrincipals: endpoint({
    id: 'auth.listServicePrincipals',
    method: 'GET',
    path: '/v1/auth/admin/service-principals',
    summary: 'List service principals',
    scope: 'auth:admin',
    credentials: ['bearer'],
    query: listQuery({
      status: z.enum(['active', 'disabled']).optional(),
      environment: z.enum(environments).optional(),
    }),
    list: ServicePrincipal,
  }),
  getServicePrincipal: endpoint({
    id: 'auth.getServicePrincipal',
    method: 'GET',
    path: '/v1/auth/admin/service-principals/{client_id}',
    summary: 'Read a service principal',
    scope: 'auth:admin',
    credentials: ['bearer'],
    params: clientPath,
    ok: ServicePrincipal,
  }),
  updateServicePrincipal: endpoint({
    id: 'auth.updateServicePrincipal',
    method: 'PATCH',
    path: '/v1/auth/admin/service-principals/{client_id}',
    summary: 'Rename, restrict, disable or enable a service principal',
    scope: 'auth:admin',
    credentials: ['bearer'],
    params: clientPath,
    body: z.strictObject({
      name: text(100).optional(),
      scopes: scopeNames.optional(),
      environment: z.enum(environments).nullable().optional(),
      status: z.enum(['active', 'disabled']).optional(),
    }),
    ok: ServicePrincipal,
    errors: ['scope_escalation'],
    audit: { action: 'service_principal.updated', target: 'service_principal', field: 'client_id' },
  }),
  deleteServicePrincipal: endpoint({
    id: 'auth.deleteServicePrincipal',
    method: 'DELETE',
    path: '/v1/auth/admin/service-principals/{client_id}',
    summary: 'Delete a service principal; its tokens stop working within a second',
    scope: 'auth:admin',
    credentials: ['bearer'],
    params: clientPath,
    deleted: 'client_id',
    audit: { action: 'service_principal.deleted', target: 'service_principal', field: 'client_id' },
  }),
  rotateServicePrincipalSecret: endpoint({
    id: 'auth.rotateServicePrincipalSecret',
    method: 'POST',
    path: '/v1/auth/admin/service-principals/{client_id}/rotate-secret',
    summary: 'Give a service principal a new secret; the old one lives on for the overlap',
    scope: 'auth:admin',
    credentials: ['bearer'],
    params: clientPath,
    body: overlap,
    ok: ServicePrincipalSecret,
    secret: { id: 'client_id' },
    errors: ['scope_escalation'],
    audit: { action: 'service_principal.secret_rotated', target: 'service_principal', field: 'client_id' },
  }),
}
