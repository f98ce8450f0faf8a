import { isScope, problem, type Scope, type WorkspaceCaller } from '@wp/contracts'
import { scopesOfRole } from '../resolve/resolution.ts'
import type { Tx } from '../store/transaction.ts'
import { findCredentialScopes, findMemberRole } from '../store/workspaces/memberships.ts'
import type { RoleGrant } from '../store/workspaces/roles.ts'
import { requireGrantableScopes } from './grantable-scopes.ts'

/** What a caller may give and take now. */
export interface CallerAuthority {
  scopes: readonly Scope[]
  isOwner: boolean
}

/**
 * What the caller may do as of this transaction, not as of when the edge looked: somebody who has been demoted meanwhile
 * acts as what they are now, so that nothing they make outlives what they lost. Machines and keys own nothing, whatever
 * their scopes.
 * @param requiredScope what the endpoint asks for
 * @throws Problem `workspace_forbidden` when the user is no member any more, `revoked_credential` when the machine or key
 *   is none any more; `missing_scope`
 */
export async function loadCallerAuthority(
  tx: Tx,
  caller: WorkspaceCaller,
  requiredScope: Scope,
): Promise<CallerAuthority> {
  const { scopes: now, isOwner } = await loadCurrentScopes(tx, caller)
  if (!now.includes(requiredScope)) throw problem('missing_scope', { extra: { required_scope: requiredScope } })
  return { scopes: caller.scopes.filter((scope) => now.includes(scope)), isOwner }
}

async function loadCurrentScopes(
  tx: Tx,
  { principal, workspaceId }: WorkspaceCaller,
): Promise<{ scopes: readonly string[]; isOwner: boolean }> {
  if (principal.type !== 'user') {
    const scopes = await findCredentialScopes(tx, workspaceId, principal.id)
    if (scopes === undefined) throw problem('revoked_credential')
    return { scopes, isOwner: false }
  }
  const role = await findMemberRole(tx, workspaceId, principal.id)
  if (role === undefined) throw problem('workspace_forbidden')
  return { scopes: scopesOfRole(role), isOwner: role.built_in_role === 'owner' }
}

/**
 * Nobody gives what they have not, and only owners make owners.
 * @throws Problem `owner_required`, `scope_escalation`
 */
export function assertCanAssignRole(authority: CallerAuthority, role: RoleGrant): void {
  if (role.built_in_role === 'owner' && !authority.isOwner)
    throw problem('owner_required', { detail: 'Only an owner of the workspace can make somebody an owner' })
  assertCanManageRole(authority, role)
}

/**
 * Who may more than the caller is not the caller's to change or to remove.
 * @throws Problem `scope_escalation`
 */
export function assertCanManageRole({ scopes }: CallerAuthority, role: RoleGrant): void {
  requireGrantableScopes(scopes, scopesOfRole(role).filter(isScope))
}
