import { z } from 'zod'
import { principalTypes } from '../core/endpoint/caller.ts'
import { declareEndpoints } from '../core/endpoint/endpoint.ts'
import { scopes } from '../core/endpoint/scope.ts'
import { quotaUsageEndpoint } from '../core/quota/quota-usage.ts'
import { serviceNames } from '../core/services.ts'
import { id } from '../core/shape/id.ts'
import { timestamp } from '../core/shape/shape.ts'
import { listNotificationRecipients } from '../notifications/internal.ts'
import { portalKeys } from '../webhooks/portal-keys.ts'
import { readIdentityChanges } from './identity-log.ts'

/**
 * A credential to be resolved. The calling service has verified its signature or computed its hash, so it contains no
 * secret.
 */
export const PresentedCredential = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('token'),
    principal_id: z.string().max(100),
    principal_type: z.enum(['user', 'service_principal']),
    session_id: z.string().max(100).optional(),
  }),
  z.strictObject({
    type: z.literal('api_key'),
    /** SHA-256 of the whole key, hexadecimal. */
    hash: z.string().regex(/^[0-9a-f]{64}$/),
    shard: z.string().max(16),
    location: z.string().max(8),
    workspace_id: z.string().max(64),
  }),
  z.strictObject({
    type: z.literal('caller'),
    principal_id: z.string().max(100),
    principal_type: z.enum(principalTypes),
    credential_id: z.string().max(100),
    /** The client that acted for the user: the caller then ends with the session `credential_id`. */
    client_id: z.string().max(1000).optional(),
    workspace_id: z.string().max(64),
  }),
])
export type PresentedCredential = z.infer<typeof PresentedCredential>

/** Limit of the credentials in one call. */
export const maxPresentedCredentials = 100

/** A workspace in which an identity may act, with its scopes there. */
export const Grant = z.object({
  workspace_id: id('ws'),
  shard: z.string(),
  location: z.string(),
  scopes: z.array(z.enum(scopes)),
  limits: z.object({
    /** Requests a minute to each service that `services` does not name. */
    workspace_per_minute: z.number().int(),
    services: z.partialRecord(z.enum(serviceNames), z.number().int()).optional(), // unbounded: its keys are the services
    /** Until then the edge refuses calls, because the plan includes no more. */
    calls_exhausted_until: timestamp().optional(),
  }),
})
export type Grant = z.infer<typeof Grant>

/**
 * The identity of an active credential, to be cached for at most 10 seconds, or for 5 minutes while the change log
 * proves that it is current (`identity-log.ts`). The credential id of a service principal's tokens is the principal, so
 * that more tokens do not have more quota; that of a user's tokens is the session.
 */
export const Identity = z.object({
  principal: z.object({ id: z.string(), type: z.enum(principalTypes) }),
  credential_id: z.string(),
  /** The client that acts for the user. */
  client_id: z.string().optional(),
  /** The customer of the workspace for whom a portal link acts. */
  customer_id: z.string().optional(),
  credential_type: z.enum(['bearer', 'api_key']),
  /** The workspace the credential belongs to; null for a user's token, which may act in any of its grants. */
  workspace_id: id('ws').nullable(),
  grants: z.array(Grant),
  limits: z.object({ credential_per_minute: z.number().int() }),
  expires_at: timestamp().nullable(),
  /** Tokens issued before this time (seconds since 1970) are revoked. */
  tokens_valid_after: z.number().int().nullable(),
  /** The `jti` of unexpired tokens of the principal that were revoked individually. */
  revoked_token_ids: z.array(z.string()).optional(),
})
export type Identity = z.infer<typeof Identity>

export const Resolution = z.discriminatedUnion('status', [
  z.object({ status: z.literal('active'), identity: Identity }),
  z.object({ status: z.literal('unknown') }),
  z.object({ status: z.literal('expired') }),
  z.object({ status: z.literal('revoked') }),
])
export type Resolution = z.infer<typeof Resolution>

/** Message that makes cached identities invalid: those that match every given field. */
export const Invalidation = z.object({
  credential_id: z.string().optional(),
  principal_id: z.string().optional(),
  workspace_id: z.string().optional(),
})
export type Invalidation = z.infer<typeof Invalidation>

/** The core NATS subject of invalidations. It has no shard, because auth is global. */
export const invalidationSubject = 'invalidate.identities'

/** Endpoints of auth for other services. */
export const authInternal = declareEndpoints('auth', {
  listNotificationRecipients,
  readIdentityChanges,
  ...portalKeys,
  readQuotaUsage: quotaUsageEndpoint('auth', 'auth'),
  readSeatUsage: {
    method: 'GET',
    path: '/internal/auth/seat-usage',
    summary: 'Count the members and pending invitations of the workspace of the call',
    audience: 'internal',
    scope: 'billing:write',
    callers: ['billing'],
    ok: z.object({ used: z.number().int().min(0) }),
  },
  readOwnership: {
    method: 'GET',
    path: '/internal/auth/ownership',
    summary: 'Read whether the caller is an owner of the workspace of the call now; credentials of machines never are',
    audience: 'internal',
    scope: 'data:write',
    callers: ['data'],
    ok: z.object({ is_owner: z.boolean() }),
  },
  resolve: {
    method: 'POST',
    path: '/internal/auth/resolve',
    summary: 'Resolve a credential or a stored caller to its current identity and grants',
    audience: 'internal',
    workspace: 'none',
    allowsSystemCalls: true,
    callers: ['gateway', 'data', 'solutions', 'webhook-delivery', 'audit', 'ai'],
    body: PresentedCredential,
    ok: Resolution,
  },
  resolveMany: {
    method: 'POST',
    path: '/internal/auth/resolve-many',
    summary: 'Resolve up to 100 credentials, in the given order',
    audience: 'internal',
    workspace: 'none',
    allowsSystemCalls: true,
    callers: ['gateway', 'webhook-delivery'],
    body: z.strictObject({ items: z.array(PresentedCredential).min(1).max(maxPresentedCredentials) }),
    ok: z.object({ resolutions: z.array(Resolution) }),
  },
})
