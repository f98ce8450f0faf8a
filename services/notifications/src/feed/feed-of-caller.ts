import type { RequestCaller, WorkspaceCaller } from '@wp/contracts'
import { requireScope } from '@wp/service'
import { visibleKinds } from '../catalog/kinds.ts'
import type { FeedKey } from '../store/notifications.ts'

type Caller = RequestCaller<WorkspaceCaller>

/** Returns the feed of a caller: a user's own, or for other principals that of the workspace. */
export const feedOf = ({ workspaceId, principal, scopes }: Caller): FeedKey => ({
  workspaceId,
  recipientId: principal.type === 'user' ? principal.id : workspaceId,
  kinds: visibleKinds(scopes),
})

/**
 * Asserts that a caller may change what belongs to a recipient: a user their own, anything else only with
 * `notifications:write`.
 * @throws Problem `missing_scope`
 */
export function requireOwnOrWrite(caller: Caller, recipientId: string, use: string): void {
  if (recipientId !== caller.principal.id) requireScope(caller, 'notifications:write', use)
}
