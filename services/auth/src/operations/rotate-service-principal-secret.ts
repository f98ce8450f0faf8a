import { isScope } from '@wp/contracts'
import type { Operation } from '../context.ts'
import { loadCallerAuthority, requireGrantableScopes } from '../roles/caller-authority.ts'
import { generateClientSecret } from '../secrets/secret.ts'
import {
  findRemovedCreators,
  lockServicePrincipal,
  replaceClientSecret,
} from '../store/credentials/service-principals.ts'
import { servicePrincipalView } from '../views.ts'

/**
 * Replaces the secret of a service principal. Issued tokens stay valid, because a routine rotation must not interrupt
 * running clients. To revoke the tokens too, disable the principal and enable it again.
 */
export const rotateServicePrincipalSecret: Operation<'rotateServicePrincipalSecret'> = async (
  { database },
  caller,
  { params, body },
) =>
  await database.transact(caller, async (tx) => {
    const principal = await lockServicePrincipal(tx, caller.workspaceId, params.client_id)
    const { scopes: callerScopes } = await loadCallerAuthority(tx, caller, 'auth:admin')
    requireGrantableScopes(callerScopes, principal.scopes.filter(isScope))
    const secret = generateClientSecret()
    const { rotated, previousExpiresAt } = await replaceClientSecret(tx, principal, secret.hash, body.overlap_seconds)
    return {
      ...servicePrincipalView(rotated, await findRemovedCreators(tx.query, caller.workspaceId, [rotated])),
      client_secret: secret.text,
      previous_expires_at: previousExpiresAt?.toISOString() ?? null,
    }
  })
