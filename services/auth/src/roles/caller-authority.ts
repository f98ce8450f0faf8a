import { isScope, problem, type Scope, scopes, type WorkspaceCaller } from '@wp/contracts'
import type { Tx } from '../store/client.ts'
import { findCredentialScopes, findMemberRole } from '../store/workspaces/memberships.ts'
import type { RoleGrant } from '../store/workspaces/roles.ts'
import { scopesOfRole } from './built-in-roles.ts'

/** The scopes a caller may grant and revoke now, and whether the caller is an owner. */
export interface CallerAuthority {
  scopes: readonly Scope[]
  isOwner: boolean
}

/**
 * Loads the caller's authority as of this transaction. The edge may have decided with an older identity; a caller
 * demoted since then must not create anything with the lost permissions. Service principals and API keys are never
 * owners, whatever their scopes.
 * @param requiredScope the scope of the endpoint
 * @throws Problem `workspace_forbidden` if the user is no longer a member; `revoked_credential` if the service
 *   principal or API key is no longer valid; `missing_scope`
 */
export async function loadCallerAuthority(
  tx: Tx,
  caller: WorkspaceCaller,
  requiredScope: Scope,
): Promise<CallerAuthority> {
  const current = await loadCurrentScopes(tx, caller)
  if (!current.scopes.includes(requiredScope))
    throw problem('missing_scope', { extra: { required_scope: requiredScope } })
  return { scopes: caller.scopes.filter((scope) => current.scopes.includes(scope)), isOwner: current.isOwner }
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
  return { scopes: scopesOfRole(role), isOwner: role.builtInRole === 'owner' }
}

/**
 * Checks that the caller may assign a role: only scopes the caller has, and the owner role only as an owner.
 * @throws Problem `owner_required`, `scope_escalation`
 */
export function assertCanAssignRole(authority: CallerAuthority, role: RoleGrant): void {
  if (role.builtInRole === 'owner' && !authority.isOwner)
    throw problem('owner_required', { detail: 'Only an owner of the workspace can assign the owner role' })
  assertCanManageRole(authority, role)
}

/**
 * Checks that the caller may change or remove a holder of the role: one with no scopes beyond the caller's.
 * @throws Problem `scope_escalation`
 */
export function assertCanManageRole({ scopes }: CallerAuthority, role: RoleGrant): void {
  requireGrantableScopes(scopes, scopesOfRole(role).filter(isScope))
}

/**
 * Checks that the caller has all scopes it wants to grant.
 * @returns the requested scopes in catalog order without duplicates
 * @throws Problem `scope_escalation` with the exceeding scopes
 */
export function requireGrantableScopes(callerScopes: readonly Scope[], requested: readonly Scope[]): Scope[] {
  const exceeding = requested.filter((scope) => !callerScopes.includes(scope))
  if (exceeding.length > 0)
    throw problem('scope_escalation', {
      detail: `Your credential does not have ${exceeding.join(', ')}`,
      extra: { scopes_beyond: exceeding },
    })
  return inCatalogOrder(requested)
}

/** Returns the scopes in catalog order without duplicates. */
export const inCatalogOrder = (unordered: readonly Scope[]): Scope[] =>
  scopes.filter((scope) => unordered.includes(scope))
