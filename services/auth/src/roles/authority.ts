import { isScope, problem, type Scope, type WorkspaceCaller } from '@wp/contracts'
import { scopesOf } from '../resolve/resolution.ts'
import { grantWithin } from '../secrets/scopes.ts'
import { findMemberRole } from '../store/members.ts'
import type { RoleFacts } from '../store/roles.ts'
import type { Tx } from '../store/transaction.ts'

/** What a caller may give and take now. */
export interface Authority {
  scopes: readonly Scope[]
  isOwner: boolean
}

/**
 * What the caller may do as of this transaction, not as of when the edge looked: somebody who has been demoted meanwhile
 * acts as what they are now. Machines and keys own nothing, whatever their scopes.
 * @throws Problem `workspace_forbidden` when the user is no member any more
 */
export async function authorityOf(tx: Tx, caller: WorkspaceCaller): Promise<Authority> {
  const { principal, workspaceId, scopes } = caller
  if (principal.type !== 'user') return { scopes, isOwner: false }
  const role = await findMemberRole(tx, workspaceId, principal.id)
  if (role === undefined) throw problem('workspace_forbidden')
  const now = scopesOf(role)
  return { scopes: scopes.filter((scope) => now.includes(scope)), isOwner: role.built_in_role === 'owner' }
}

/**
 * Nobody gives what they have not, and only owners make owners.
 * @throws Problem `owner_required`, `scope_escalation`
 */
export function checkGrant(authority: Authority, role: RoleFacts): void {
  if (role.built_in_role === 'owner' && !authority.isOwner)
    throw problem('owner_required', { detail: 'Only an owner of the workspace can make somebody an owner' })
  checkReach(authority, role)
}

/**
 * Who may more than the caller is not the caller's to change or to remove.
 * @throws Problem `scope_escalation`
 */
export function checkReach({ scopes }: Authority, role: RoleFacts): void {
  grantWithin(scopes, scopesOf(role).filter(isScope))
}
