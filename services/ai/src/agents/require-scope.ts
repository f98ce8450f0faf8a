import { type Caller, problem, type Scope } from '@wp/contracts'

/**
 * Asserts that a caller has a scope which the endpoint does not require of every request.
 * @param use subject of the error message
 * @throws Problem `missing_scope`
 */
export function requireScope({ scopes }: Pick<Caller, 'scopes'>, scope: Scope, use: string): void {
  if (scopes.includes(scope)) return
  throw problem('missing_scope', { detail: `${use} requires the scope ${scope}`, extra: { required_scope: scope } })
}
