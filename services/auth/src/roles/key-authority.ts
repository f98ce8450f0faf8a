import { problem, type Scope, type WorkspaceCaller } from '@wp/contracts'
import type { Tx } from '../store/client.ts'
import { type CallerAuthority, loadCallerAuthority } from './caller-authority.ts'

/** The scope that extends `auth:keys` to the keys of others. */
const manageAllScope: Scope = 'auth:admin'

/** Returns true if the caller sees and manages the API keys of all creators, not only its own. */
export const seesAllKeys = ({ scopes }: { scopes: readonly Scope[] }): boolean => scopes.includes(manageAllScope)

/**
 * Checks that the caller may read or change an API key: a key it created, or any with `auth:admin`.
 * @throws Problem `missing_scope`
 */
export function assertCanManageKey(
  { principal, scopes }: Pick<WorkspaceCaller, 'principal'> & { scopes: readonly Scope[] },
  key: { createdBy: string },
): void {
  if (key.createdBy !== principal.id && !seesAllKeys({ scopes }))
    throw problem('missing_scope', {
      detail: `The key belongs to another principal; the scope ${manageAllScope} is required`,
      extra: { required_scope: manageAllScope },
    })
}

/**
 * Does the same with the caller's authority as of this transaction, which it returns.
 * @throws Problem `missing_scope`, and the problems of `loadCallerAuthority`
 */
export async function loadKeyAuthority(
  tx: Tx,
  caller: WorkspaceCaller,
  key: { createdBy: string },
): Promise<CallerAuthority> {
  const authority = await loadCallerAuthority(tx, caller, 'auth:keys')
  assertCanManageKey({ principal: caller.principal, scopes: authority.scopes }, key)
  return authority
}
