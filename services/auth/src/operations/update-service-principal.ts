import { isScope, type Scope } from '@wp/contracts'
import type { Operation } from '../context.ts'
import { publishInvalidation } from '../identity-log.ts'
import { inCatalogOrder, loadCallerAuthority, requireGrantableScopes } from '../roles/caller-authority.ts'
import {
  findRemovedCreators,
  lockServicePrincipal,
  type ServicePrincipal,
  updateServicePrincipalRow,
} from '../store/credentials/service-principals.ts'
import { servicePrincipalView } from '../views.ts'

/** Updates a service principal. Changes of scopes and status apply to issued tokens at once. */
export const updateServicePrincipal: Operation<'updateServicePrincipal'> = async (context, caller, { params, body }) =>
  await context.database.transact(caller, async (tx) => {
    const principal = await lockServicePrincipal(tx, caller.workspaceId, params.client_id)
    const isEnabled = principal.status === 'disabled' && body.status === 'active'
    const { scopes: callerScopes } = await loadCallerAuthority(tx, caller, 'auth:admin')
    requireGrantableScopes(callerScopes, newlyGranted(principal, body.scopes, isEnabled))
    const changed = await updateServicePrincipalRow(tx, principal.clientId, {
      ...body,
      scopes: body.scopes === undefined ? undefined : inCatalogOrder(body.scopes),
      // Tokens issued before it was disabled stay revoked.
      tokensValidAfter: isEnabled ? new Date(context.now()) : undefined,
    })
    tx.audit({ changes: body })
    if (body.scopes !== undefined || body.status !== undefined)
      publishInvalidation(context, tx, { principal_id: principal.clientId })
    return servicePrincipalView(changed, await findRemovedCreators(tx.query, caller.workspaceId, [changed]))
  })

/** Returns the scopes the change adds; all scopes if it enables the principal. */
function newlyGranted(before: ServicePrincipal, after: readonly Scope[] | undefined, isEnabled: boolean): Scope[] {
  const had = before.scopes.filter(isScope)
  const has = after ?? had
  return isEnabled ? [...has] : has.filter((scope) => !had.includes(scope))
}
