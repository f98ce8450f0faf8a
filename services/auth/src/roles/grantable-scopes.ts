import { problem, type Scope, scopes } from '@wp/contracts'

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
