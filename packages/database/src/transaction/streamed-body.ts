import { createHash } from 'node:crypto'
import type { RequestCaller } from '@wp/contracts'
import type { Query } from '../connection/query.ts'
import { idempotencyKey } from './idempotency.ts'

/**
 * Returns the caller with the fingerprint of its idempotency key completed by the digest of a streamed body, which is
 * not known when the request begins. Pass it to the transaction whose result is the response.
 */
export function withBodyDigest<C extends RequestCaller>(caller: C, bodyDigest: string): C {
  const { request } = caller
  if (request?.idempotency === undefined) return caller
  const fingerprint = createHash('sha256').update(`${request.idempotency.fingerprint} ${bodyDigest}`).digest('hex')
  return { ...caller, request: { ...request, idempotency: { ...request.idempotency, fingerprint } } }
}

/** Returns true if a response is stored for the idempotency key of a request, for whatever body. */
export async function hasStoredResponse(query: Query, caller: RequestCaller): Promise<boolean> {
  const key = idempotencyKey(caller)
  if (key === undefined) return false
  const found = await query(
    `SELECT FROM platform.idempotency WHERE (principal_id, workspace_id, route, key) = ($1, $2, $3, $4)
        AND created_at > now() - interval '24 hours'`,
    [key.principalId, key.workspaceId, key.route, key.key],
  )
  return found.length > 0
}
