import type { PresentedCredential as ToResolve } from '@wp/contracts'
import type { AccessToken } from './access-token.ts'
import { parseApiKey } from './api-key.ts'
import type { PresentedCredential } from './credential.ts'

/** What a credential says of itself, checked as far as the edge can: what to ask auth, and under which name to keep it. */
export type CredentialLookup = { key: string; query: ToResolve; token: AccessToken | undefined } | RejectedCredential
interface RejectedCredential {
  rejection: 'invalid_credential' | 'expired_credential' | 'revoked_credential'
}

export function lookupOfApiKey({ value, digest }: PresentedCredential): CredentialLookup {
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
  const ask = { type: 'token' as const, principal_id: principalId, principal_type: principalType, ...session }
  return { key: `${principalId}/${sessionId ?? ''}`, query: ask, token }
}

export const rejectionOf = (status: 'expired' | 'invalid'): RejectedCredential => ({
  rejection: status === 'expired' ? 'expired_credential' : 'invalid_credential',
})
