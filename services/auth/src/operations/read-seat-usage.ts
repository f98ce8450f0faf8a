import type { authInternal, Operation } from '@wp/contracts'
import { readQuotaUsage } from '@wp/database'
import type { Context } from '../context.ts'
import { seatQuota } from '../store/quotas.ts'

/** Counts the members and pending invitations of a workspace, for billing. */
export const readSeatUsage: Operation<typeof authInternal.readSeatUsage, Context> = async ({ database }, caller) => {
  const { workspaceId } = caller
  const [use] = await database.read(caller, (_db, query) => readQuotaUsage(query, workspaceId, [seatQuota]))
  if (use === undefined) throw new Error('every quota that was asked for is counted')
  return { used: use.current }
}
