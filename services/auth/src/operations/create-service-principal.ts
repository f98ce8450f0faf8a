import type { auth, Operation } from '@wp/contracts'
import type { Context } from '../context.ts'
import { authorityOf } from '../roles/authority.ts'
import { grantWithin } from '../secrets/scopes.ts'
import { newClientSecret } from '../secrets/secret.ts'
import { insertServicePrincipal } from '../store/service-principals.ts'
import { servicePrincipalView } from '../views.ts'

/** Creates a machine's identity in the workspace; its secret is shown this once. */
export const createServicePrincipal: Operation<typeof auth.createServicePrincipal, Context> = async (
  { database },
  caller,
  { body },
) => {
  const { name, environment = null } = body
  return await database.transact(caller, async (tx) => {
    const { scopes: own } = await authorityOf(tx, caller, 'auth:admin')
    const scopes = grantWithin(own, body.scopes)
    const secret = newClientSecret()
    const { workspaceId } = caller
    const facts = { workspaceId, name, scopes, environment, createdBy: caller.principal.id, secret }
    return { ...servicePrincipalView(await insertServicePrincipal(tx, facts)), client_secret: secret.text }
  })
}
