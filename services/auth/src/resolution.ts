import {
  type Grant,
  type Identity,
  isScope,
  type PresentedCredential,
  type Resolution,
  type ServiceName,
  serviceNames,
} from '@wp/contracts'
import { scopesOfRole } from './roles/built-in-roles.ts'
import type {
  ApiKeyRecord,
  MembershipRecord,
  ServicePrincipalRecord,
  SessionRecord,
  UserRecord,
  WorkspaceColumns,
} from './store/credentials/records.ts'

type PresentedOf<Type extends PresentedCredential['type']> = Extract<PresentedCredential, { type: Type }>

/** Requests per minute of a portal link: those of one person, so that no customer uses up what the workspace has. */
const portalLinkPerMinute = 240

/** Requests per minute of a user without memberships. */
const defaultCredentialPerMinute = 600

/** Resolves a presented API key: its parts must match the stored record, and nothing may have ended the key. */
export function resolveApiKey(presented: PresentedOf<'api_key'>, key: ApiKeyRecord | undefined): Resolution {
  if (key === undefined) return { status: 'unknown' }
  const { shard, location, workspace_id } = presented
  if (shard !== key.keyShard || location !== key.keyLocation || workspace_id !== key.workspaceId)
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
  if (session.userId !== presented.principal_id) return { status: 'unknown' }
  if (session.disabled || !session.sessionLive) return { status: 'revoked' }
  const identity = toUserIdentity(session, session.memberships, session.sessionId)
  const { clientId: client_id } = session
  const expires_at = session.sessionEndsAt.toISOString()
  return activeResolution({ ...identity, expires_at, ...(client_id === null ? {} : { client_id }) })
}

/** Records of a stored caller; the one that matches the principal type is set. */
interface StoredCallerRecords {
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
    return records.apiKey.workspaceId === workspaceId ? resolveApiKeyRecord(records.apiKey) : { status: 'unknown' }
  if (records?.servicePrincipal !== undefined)
    return records.servicePrincipal.workspaceId === workspaceId
      ? resolveServicePrincipalRecord(records.servicePrincipal)
      : { status: 'unknown' }
  if (clientId !== undefined && !isLiveSessionOf(presented.principal_id, records?.session)) return { status: 'revoked' }
  if (records?.user === undefined) return { status: 'unknown' }
  const membershipsInWorkspace = records.user.memberships.filter((membership) => membership.workspaceId === workspaceId)
  const identity = toUserIdentity(records.user, membershipsInWorkspace, credentialId)
  return records.user.disabled || identity.grants.length === 0 ? { status: 'revoked' } : activeResolution(identity)
}

const isLiveSessionOf = (userId: string, session: SessionRecord | undefined): boolean =>
  session?.sessionLive === true && session.userId === userId

function resolveApiKeyRecord(key: ApiKeyRecord): Resolution {
  if (key.deleted || key.replaced || key.workspaceDeleted) return { status: 'revoked' }
  if (key.expired === true) return { status: 'expired' }
  const { keyId, portalLinkId, customerId, credentialPerMinute } = key
  const isPortal = portalLinkId !== null && customerId !== null
  return activeResolution({
    principal: isPortal ? { id: portalLinkId, type: 'portal_link' } : { id: keyId, type: 'api_key' },
    credential_id: keyId,
    ...(isPortal ? { customer_id: customerId } : {}),
    credential_type: 'api_key',
    workspace_id: key.workspaceId,
    grants: [toGrant(key, key.scopes)],
    limits: {
      credential_per_minute: isPortal ? Math.min(credentialPerMinute, portalLinkPerMinute) : credentialPerMinute,
    },
    expires_at: earliest(key.expiresAt, key.replacedAt)?.toISOString() ?? null,
    tokens_valid_after: null,
  })
}

function resolveServicePrincipalRecord(servicePrincipal: ServicePrincipalRecord): Resolution {
  if (servicePrincipal.deleted || servicePrincipal.status !== 'active' || servicePrincipal.workspaceDeleted)
    return { status: 'revoked' }
  const { tokensValidAfter, revokedTokenIds } = servicePrincipal
  return activeResolution({
    principal: { id: servicePrincipal.clientId, type: 'service_principal' },
    credential_id: servicePrincipal.clientId,
    credential_type: 'bearer',
    workspace_id: servicePrincipal.workspaceId,
    grants: [toGrant(servicePrincipal, servicePrincipal.scopes)],
    limits: { credential_per_minute: servicePrincipal.credentialPerMinute },
    expires_at: null,
    // The issue time in tokens has whole seconds.
    tokens_valid_after: tokensValidAfter === null ? null : Math.floor(tokensValidAfter.getTime() / 1000),
    ...(revokedTokenIds.length === 0 ? {} : { revoked_token_ids: revokedTokenIds }),
  })
}

function toUserIdentity(user: UserRecord, memberships: readonly MembershipRecord[], credentialId: string): Identity {
  const liveMemberships = memberships.filter(
    ({ workspaceDeleted, ssoMissing }) => !workspaceDeleted && ssoMissing !== true,
  )
  return {
    principal: { id: user.userId, type: 'user' },
    credential_id: credentialId,
    credential_type: 'bearer',
    workspace_id: null,
    grants: liveMemberships.map((membership) => toGrant(membership, scopesOfRole(membership))),
    limits: {
      credential_per_minute: Math.max(
        ...(liveMemberships.length > 0
          ? liveMemberships.map((record) => record.credentialPerMinute)
          : [defaultCredentialPerMinute]),
      ),
    },
    expires_at: null,
    tokens_valid_after: null,
  }
}

const activeResolution = (identity: Identity): Resolution => ({ status: 'active', identity })

const toGrant = (record: WorkspaceColumns, scopes: readonly string[]): Grant => ({
  workspace_id: record.workspaceId,
  shard: record.shard,
  location: record.location,
  scopes: scopes.filter(isScope),
  limits: {
    ...grantLimits(record.workspacePerMinute, record.planWorkspacePerMinute),
    ...(record.callsExhaustedUntil === null ? {} : { calls_exhausted_until: record.callsExhaustedUntil.toISOString() }),
  },
})

const earliest = (...times: (Date | null)[]): Date | undefined =>
  times.filter((time) => time !== null).toSorted((a, b) => a.getTime() - b.getTime())[0]

/**
 * Returns the requests a minute of a workspace as the edge needs them: one number for most services, and the services
 * that differ from it. An edge of the previous release applies the number to all.
 *
 * @param base the limit without a plan
 * @param plan the limits of the plan by service; a service that it does not name has the limit of most
 */
export function grantLimits(base: number, plan: Readonly<Record<string, number>> | null): Grant['limits'] {
  const named = serviceNames.flatMap((name): [ServiceName, number][] => {
    const limit = plan?.[name]
    return limit === undefined ? [] : [[name, limit]]
  })
  const common = mostFrequent(named.map(([, limit]) => limit)) ?? base
  const services = named.filter(([, limit]) => limit !== common)
  return {
    workspace_per_minute: common,
    ...(services.length === 0 ? {} : { services: Object.fromEntries(services) }),
  }
}

/** Returns the lowest of the most frequent numbers; undefined without numbers. */
function mostFrequent(numbers: readonly number[]): number | undefined {
  const groups = [...Map.groupBy(numbers, (number) => number)]
  return groups.toSorted(([a, as], [b, bs]) => bs.length - as.length || a - b)[0]?.[0]
}
