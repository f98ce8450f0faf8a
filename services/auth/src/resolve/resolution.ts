import { type Grant, type Identity, isScope, type PresentedCredential, type Resolution } from '@wp/contracts'
import { scopesOfRole } from '../roles/scopes-of-role.ts'
import type {
  ApiKeyRecord,
  MembershipRecord,
  ServicePrincipalRecord,
  SessionRecord,
  UserRecord,
  WorkspaceColumns,
} from '../store/credentials/records.ts'
import { grantLimits } from './grant-limits.ts'

type PresentedOf<Type extends PresentedCredential['type']> = Extract<PresentedCredential, { type: Type }>

/** Requests per minute of a user without memberships. */
const defaultCredentialPerMinute = 600

/** Resolves a presented API key: its parts must match the stored record, and nothing may have ended the key. */
export function resolveApiKey(presented: PresentedOf<'api_key'>, key: ApiKeyRecord | undefined): Resolution {
  if (key === undefined) return { status: 'unknown' }
  const { shard, location, workspace_id } = presented
  if (shard !== key.key_shard || location !== key.key_location || workspace_id !== key.workspace_id)
    return { status: 'unknown' }
  return resolveApiKeyRecord(key)
}

/** Resolves the token of a service principal, whose signature and expiry the edge has verified. */
export function resolveServicePrincipalToken(servicePrincipal: ServicePrincipalRecord | undefined): Resolution {
  return servicePrincipal === undefined ? { status: 'unknown' } : resolveServicePrincipalRecord(servicePrincipal)
}

/**
 * Resolves the token of a user. It is active as long as its session and grants the user's current memberships. An
 * unknown session counts as revoked: the token was issued for it, so the session has ended and was deleted since.
 */
export function resolveUserToken(presented: PresentedOf<'token'>, session: SessionRecord | undefined): Resolution {
  if (session === undefined) return { status: 'revoked' }
  if (session.user_id !== presented.principal_id) return { status: 'unknown' }
  if (session.disabled || !session.session_live) return { status: 'revoked' }
  const identity = toUserIdentity(session, session.memberships, session.session_id)
  const { client_id } = session
  const expires_at = session.session_ends_at.toISOString()
  return activeResolution({ ...identity, expires_at, ...(client_id === null ? {} : { client_id }) })
}

/** Records of a stored caller; the one that matches the principal type is set. */
export interface StoredCallerRecords {
  apiKey?: ApiKeyRecord | undefined
  servicePrincipal?: ServicePrincipalRecord | undefined
  user?: UserRecord | undefined
  session?: SessionRecord | undefined
}

/**
 * Resolves the caller stored with a job, limited to the job's workspace. A user's caller does not depend on the
 * session, unless an application acted for the user: it may act no longer than its session.
 */
export function resolveStoredCaller(
  presented: PresentedOf<'caller'>,
  records: StoredCallerRecords | undefined,
): Resolution {
  const { workspace_id: workspaceId, credential_id: credentialId, client_id: clientId } = presented
  if (records?.apiKey !== undefined)
    return records.apiKey.workspace_id === workspaceId ? resolveApiKeyRecord(records.apiKey) : { status: 'unknown' }
  if (records?.servicePrincipal !== undefined)
    return records.servicePrincipal.workspace_id === workspaceId
      ? resolveServicePrincipalRecord(records.servicePrincipal)
      : { status: 'unknown' }
  if (clientId !== undefined && !isLiveSessionOf(presented.principal_id, records?.session)) return { status: 'revoked' }
  if (records?.user === undefined) return { status: 'unknown' }
  const membershipsInWorkspace = records.user.memberships.filter(
    (membership) => membership.workspace_id === workspaceId,
  )
  const identity = toUserIdentity(records.user, membershipsInWorkspace, credentialId)
  return records.user.disabled || identity.grants.length === 0 ? { status: 'revoked' } : activeResolution(identity)
}

const isLiveSessionOf = (userId: string, session: SessionRecord | undefined): boolean =>
  session?.session_live === true && session.user_id === userId

function resolveApiKeyRecord(key: ApiKeyRecord): Resolution {
  if (key.deleted || key.replaced || key.workspace_deleted) return { status: 'revoked' }
  if (key.expired === true) return { status: 'expired' }
  return activeResolution({
    principal: { id: key.key_id, type: 'api_key' },
    credential_id: key.key_id,
    credential_type: 'api_key',
    workspace_id: key.workspace_id,
    grants: [toGrant(key, key.scopes)],
    limits: { credential_per_minute: key.credential_per_minute },
    expires_at: earliest(key.expires_at, key.replaced_at)?.toISOString() ?? null,
    tokens_valid_after: null,
  })
}

function resolveServicePrincipalRecord(servicePrincipal: ServicePrincipalRecord): Resolution {
  if (servicePrincipal.deleted || servicePrincipal.status !== 'active' || servicePrincipal.workspace_deleted)
    return { status: 'revoked' }
  const { tokens_valid_after: tokensValidAfter, revoked_token_ids: revokedTokenIds } = servicePrincipal
  return activeResolution({
    principal: { id: servicePrincipal.client_id, type: 'service_principal' },
    credential_id: servicePrincipal.client_id,
    credential_type: 'bearer',
    workspace_id: servicePrincipal.workspace_id,
    grants: [toGrant(servicePrincipal, servicePrincipal.scopes)],
    limits: { credential_per_minute: servicePrincipal.credential_per_minute },
    expires_at: null,
    // The issue time in tokens has whole seconds.
    tokens_valid_after: tokensValidAfter === null ? null : Math.floor(tokensValidAfter.getTime() / 1000),
    ...(revokedTokenIds.length === 0 ? {} : { revoked_token_ids: revokedTokenIds }),
  })
}

function toUserIdentity(user: UserRecord, memberships: readonly MembershipRecord[], credentialId: string): Identity {
  const liveMemberships = memberships.filter((membership) => !membership.workspace_deleted)
  return {
    principal: { id: user.user_id, type: 'user' },
    credential_id: credentialId,
    credential_type: 'bearer',
    workspace_id: null,
    grants: liveMemberships.map((membership) => toGrant(membership, scopesOfRole(membership))),
    limits: {
      credential_per_minute: Math.max(
        ...(liveMemberships.length > 0
          ? liveMemberships.map((record) => record.credential_per_minute)
          : [defaultCredentialPerMinute]),
      ),
    },
    expires_at: null,
    tokens_valid_after: null,
  }
}

const activeResolution = (identity: Identity): Resolution => ({ status: 'active', identity })

const toGrant = (record: WorkspaceColumns, scopes: readonly string[]): Grant => ({
  workspace_id: record.workspace_id,
  shard: record.shard,
  location: record.location,
  scopes: scopes.filter(isScope),
  limits: {
    ...grantLimits(record.workspace_per_minute, record.plan_workspace_per_minute),
    ...(record.calls_exhausted_until === null
      ? {}
      : { calls_exhausted_until: record.calls_exhausted_until.toISOString() }),
  },
})

const earliest = (...times: (Date | null)[]): Date | undefined =>
  times.filter((time) => time !== null).toSorted((a, b) => a.getTime() - b.getTime())[0]
