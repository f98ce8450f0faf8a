import { invalidField, Problem, problem, type RequestCaller, type WorkspaceCaller } from '@wp/contracts'
import type { Context } from '../context.ts'
import type { Tx } from '../store/transaction.ts'
import { lockMemberships } from '../store/workspaces/memberships.ts'
import { type CallerAuthority, loadCallerAuthority } from './caller-authority.ts'

/**
 * One change of a workspace's people or roles: one at a time, so that what it decides by stays true until it is done,
 * and by what the caller may do now.
 */
export async function transactAsAdmin<T>(
  { database }: Pick<Context, 'database'>,
  caller: RequestCaller<WorkspaceCaller>,
  work: (tx: Tx, authority: CallerAuthority) => Promise<T>,
): Promise<T> {
  return await database.transact(caller, async (tx) => {
    if (!(await lockMemberships(tx, caller.workspaceId))) throw problem('not_found')
    return await work(tx, await loadCallerAuthority(tx, caller, 'auth:admin'))
  })
}

/** What a body names and the workspace has not is wrong input, where in a path it would be nothing that is there. */
export async function withUnknownReferenceError<T>(pointer: string, work: Promise<T>): Promise<T> {
  return await work.catch((error: unknown) => {
    const isMissing = error instanceof Problem && error.code === 'not_found'
    throw isMissing ? invalidField(pointer, 'names nothing of this workspace', 'unknown_reference') : error
  })
}
