import { isScope, problem, type Scope, type WorkspaceCaller } from '@wp/contracts'
import { scopesOf } from '../resolve/resolution.ts'
import { grantWithin } from '../secrets/scopes.ts'
import { findMachineScopes, findMemberRole } from '../store/members.ts'
import type { RoleFacts } from '../store/roles.ts'
import type { Tx } from '../store/transaction.ts'

/** What a caller may give and take now. */
export interface Authority {
  scopes: readonly Scope[]
  isOwner: boolean
}

/**
 * What the caller may do as of this transaction, not as of when the edge looked: somebody who has been demoted meanwhile
 * acts as what they are now, so that nothing they make outlives what they lost. Machines and keys own nothing, whatever
 * their scopes.
 * @param needed what the endpoint asks for
 * @throws Problem `workspace_forbidden` when the user is no member any more, `revoked_credential` when the machine or key
 *   is none any more; `missing_scope`
 */
export async function authorityOf(tx: Tx, caller: WorkspaceCaller, needed: Scope): Promise<Authority> {
  const { scopes: now, isOwner } = await standingOf(tx, caller)
  if (!now.includes(needed)) throw problem('missing_scope', { extra: { required_scope: needed } })
  return { scopes: caller.scopes.filter((scope) => now.includes(scope)), isOwner }
}

async function standingOf(
  tx: Tx,
  { principal, workspaceId }: WorkspaceCaller,
): Promise<{ scopes: readonly string[]; isOwner: boolean }> {
  if (principal.type !== 'user') {
    const scopes = await findMachineScopes(tx, workspaceId, principal.id)
    if (scopes === undefined) throw problem('revoked_credential')
    return { scopes, isOwner: false }
  }
  const role = await findMemberRole(tx, workspaceId, principal.id)
  if (role === undefined) throw problem('workspace_forbidden')
  return { scopes: scopesOf(role), isOwner: role.built_in_role === 'owner' }
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
