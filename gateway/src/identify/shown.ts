import type { Presented as ToResolve } from '@wp/contracts'
import type { AccessToken } from './access-token.ts'
import { parseApiKey } from './api-key.ts'
import type { Presented } from './credential.ts'

/** What a credential says of itself, checked as far as the edge can: what to ask auth, and under which name to keep it. */
export type Shown = { key: string; ask: ToResolve; token: AccessToken | undefined } | Refused
interface Refused {
  refusal: 'invalid_credential' | 'expired_credential' | 'revoked_credential'
}

export function showKey({ value, digest }: Presented): Shown {
  const segments = parseApiKey(value)
  if (segments === undefined) return { refusal: 'invalid_credential' }
  const { shard, location, workspaceId } = segments
  return {
    key: digest,
    ask: { type: 'api_key', hash: digest, shard, location, workspace_id: workspaceId },
    token: undefined,
  }
}

export function showToken(token: AccessToken): Shown {
  const { principalId, principalType, sessionId } = token
  const session = sessionId === undefined ? {} : { session_id: sessionId }
  const ask = { type: 'token' as const, principal_id: principalId, principal_type: principalType, ...session }
  return { key: `${principalId}/${sessionId ?? ''}`, ask, token }
}

export const refusalOf = (status: 'expired' | 'invalid'): Refused => ({
  refusal: status === 'expired' ? 'expired_credential' : 'invalid_credential',
})
