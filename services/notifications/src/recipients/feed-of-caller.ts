import { problem, type RequestCaller, type WorkspaceCaller } from '@wp/contracts'
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
export function requireOwnOrWrite({ principal, scopes }: Caller, recipientId: string, use: string): void {
  if (recipientId === principal.id || scopes.includes('notifications:write')) return
  const required = 'notifications:write'
  throw problem('missing_scope', {
    detail: `${use} requires the scope ${required}`,
    extra: { required_scope: required },
  })
}
