import { enforceQuota } from '@wp/database'
import type { Operation } from '../context.ts'
import { loadCallerAuthority, requireGrantableScopes } from '../roles/caller-authority.ts'
import { generateClientSecret } from '../secrets/secret.ts'
import { insertServicePrincipal } from '../store/credentials/service-principals.ts'
import { servicePrincipalQuota } from '../store/quotas.ts'
import { servicePrincipalView } from '../views.ts'

/** Creates a service principal in the workspace. Its secret is shown only in this response. */
export const createServicePrincipal: Operation<'createServicePrincipal'> = async ({ database }, caller, { body }) => {
  const { name, environment = null } = body
  return await database.transact(caller, async (tx) => {
    const { scopes: callerScopes } = await loadCallerAuthority(tx, caller, 'auth:admin')
    const scopes = requireGrantableScopes(callerScopes, body.scopes)
    const secret = generateClientSecret()
    const { workspaceId } = caller
    const fields = { workspaceId, name, scopes, environment, createdBy: caller.principal.id, secretHash: secret.hash }
    const principal = await insertServicePrincipal(tx, fields)
    await enforceQuota(tx.query, workspaceId, servicePrincipalQuota)
    return { ...servicePrincipalView(principal, new Set()), client_secret: secret.text }
  })
}
