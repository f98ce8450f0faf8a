import { problem, type Scope, scopes } from '@wp/contracts'

/**
 * What shall be granted, checked against what the granting credential carries itself: in the catalogue's order, once each.
 * @throws Problem `scope_escalation` naming the scopes that are beyond it
 */
export function requireGrantableScopes(callerScopes: readonly Scope[], requested: readonly Scope[]): Scope[] {
  const exceeding = requested.filter((scope) => !callerScopes.includes(scope))
  if (exceeding.length > 0)
    throw problem('scope_escalation', {
      detail: `Your credential does not carry ${exceeding.join(', ')}`,
      extra: { scopes_beyond: exceeding },
    })
  return inCatalogOrder(requested)
}

/** In the catalogue's order, once each. */
export const inCatalogOrder = (some: readonly Scope[]): Scope[] => scopes.filter((scope) => some.includes(scope))
