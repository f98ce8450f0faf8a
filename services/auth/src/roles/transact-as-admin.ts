import { invalidField, Problem, problem, type RequestCaller, type Scope, type WorkspaceCaller } from '@wp/contracts'
import type { Context } from '../context.ts'
import type { Tx } from '../store/client.ts'
import { lockMemberships } from '../store/workspaces/memberships.ts'
import { type CallerAuthority, loadCallerAuthority } from './caller-authority.ts'

/**
 * Runs one change of a workspace's members or roles in a transaction. Changes of one workspace are serialized by a
 * lock, so that what a change reads stays true until it commits. `work` gets the caller's current authority.
 * @param requiredScope the scope of the endpoint
 * @throws Problem `not_found` if the workspace is deleted, and the problems of `loadCallerAuthority`
 */
export async function transactAsAdmin<T>(
  { database }: Pick<Context, 'database'>,
  caller: RequestCaller<WorkspaceCaller>,
  work: (tx: Tx, authority: CallerAuthority) => Promise<T>,
  requiredScope: Scope = 'auth:admin',
): Promise<T> {
  return await database.transact(caller, async (tx) => {
    if (!(await lockMemberships(tx, caller.workspaceId))) throw problem('not_found')
    return await work(tx, await loadCallerAuthority(tx, caller, requiredScope))
  })
}

/**
 * Turns a 404 into a validation error of a body field: an unknown id in the body is invalid input, while the same id in
 * the path is a missing resource.
 */
export async function withUnknownReferenceError<T>(pointer: string, work: Promise<T>): Promise<T> {
  return await work.catch((error: unknown) => {
    const isMissing = error instanceof Problem && error.code === 'not_found'
    throw isMissing ? invalidField(pointer, 'does not exist in this workspace', 'unknown_reference') : error
  })
}
