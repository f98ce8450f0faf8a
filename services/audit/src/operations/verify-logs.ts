import { type audit, type Operation, problem } from '@wp/contracts'
import type { Context } from '../context.ts'

export const verifyLogs: Operation<typeof audit.verifyLogs, Context> = async ({ verifications }, caller, { query }) => {
  const { from_seq: from, to_seq: to } = query
  if (from !== undefined && to !== undefined && to < from)
    throw problem('validation_failed', { errors: [{ pointer: '?to_seq', detail: 'must not be less than from_seq' }] })
  return verifications.verify(caller.workspaceId, { from, to })
}
