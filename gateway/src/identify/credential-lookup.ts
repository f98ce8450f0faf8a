import type { PresentedCredential } from '@wp/contracts'
import { parseApiKey } from './api-key.ts'
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
