import { type audit, type Operation, problem } from '@wp/contracts'
import type { Context } from '../context.ts'
import { readHeadToken } from '../signing/tokens.ts'

export const verifyLogs: Operation<typeof audit.verifyLogs, Context> = async (
  { verifications, signer },
  caller,
  { query },
) => {
  const { from_seq: from, to_seq: to, head: token } = query
  if (from !== undefined && to !== undefined && to < from)
    throw problem('validation_failed', { errors: [{ pointer: '?to_seq', detail: 'must not be less than from_seq' }] })
  if (token === undefined) return verifications.verify(caller.workspaceId, { from, to })
  const head = await readHeadToken(signer, caller.workspaceId, token)
  if (head === undefined) {
    const detail = 'must be the token of a head of this workspace, signed with a key of /v1/audit/keys'
    throw problem('validation_failed', { errors: [{ pointer: '?head', detail }] })
  }
  return verifications.verify(caller.workspaceId, { from, to }, head)
}
