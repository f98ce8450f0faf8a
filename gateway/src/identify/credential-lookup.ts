import type { PresentedCredential } from '@wp/contracts'
import type { RequestCredential } from './credential.ts'
import type { AccessToken } from './token/access-token.ts'

/**
 * The lookup of a credential that passed the edge's own checks: the query for auth, and the cache key of its result.
 */
export interface CredentialLookup {
  /** All tokens of one principal and session share a key. */
  key: string
  query: PresentedCredential
  token: AccessToken | undefined
}

/** A credential the edge rejects without asking auth. */
export interface RejectedCredential {
  rejection: 'invalid_credential' | 'expired_credential'
}

export function lookupOfApiKey({ value, digest }: RequestCredential): CredentialLookup | RejectedCredential {
  const segments = parseApiKey(value)
  if (segments === undefined) return { rejection: 'invalid_credential' }
  const { shard, location, workspaceId } = segments
  return {
    key: digest,
    query: { type: 'api_key', hash: digest, shard, location, workspace_id: workspaceId },
    token: undefined,
  }
}

export function lookupOfToken(token: AccessToken): CredentialLookup {
  const { principalId, principalType, sessionId } = token
  const session = sessionId === undefined ? {} : { session_id: sessionId }
  const query = { type: 'token' as const, principal_id: principalId, principal_type: principalType, ...session }
  return { key: `${principalId}/${sessionId ?? ''}`, query, token }
}

/** The readable segments of an API key. */
interface ApiKeySegments {
  shard: string
  location: string
  workspaceId: string
}

const grammar =
  /^key_([a-z0-9]{1,16})\.([A-Z]{2,8})\.(ws_[0-7][0-9a-hjkmnp-tv-z]{25})\.[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Parses `key_<shard>.<LOCATION>.<workspace id>.<UUID v4>`. Returns undefined for any other string. */
export function parseApiKey(key: string): ApiKeySegments | undefined {
  const [, shard, location, workspaceId] = grammar.exec(key) ?? []
  return shard === undefined || location === undefined || workspaceId === undefined
    ? undefined
    : { shard, location, workspaceId }
}
