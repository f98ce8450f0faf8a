import { problem, type Scope, scopes } from '@wp/contracts'

/**
 * What shall be granted, checked against what the granting credential carries itself: in the catalogue's order, once each.
 * @throws Problem `scope_escalation` naming the scopes that are beyond it
 */
export function grantWithin(own: readonly Scope[], wanted: readonly Scope[]): Scope[] {
  const beyond = wanted.filter((scope) => !own.includes(scope))
  if (beyond.length > 0)
    throw problem('scope_escalation', {
      detail: `Your credential does not carry ${beyond.join(', ')}`,
      extra: { scopes_beyond: beyond },
    })
  return inOrder(wanted)
}

/** In the catalogue's order, once each. */
export const inOrder = (some: readonly Scope[]): Scope[] => scopes.filter((scope) => some.includes(scope))
