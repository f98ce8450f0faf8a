import type { Scope } from '@wp/contracts'
import type { Operation } from '../context.ts'
import { loadCallerAuthority, requireGrantableScopes } from '../roles/caller-authority.ts'
import { revokePortalKeys } from '../roles/portal-keys.ts'
import { generateApiKey } from '../secrets/secret.ts'
import { insertPortalKey } from '../store/credentials/portal-keys.ts'
import { requireWorkspacePlacement } from '../store/workspaces/workspaces.ts'

/** Creates the credential of a portal link, with scopes that the caller has now. */
export const createPortalKey: Operation<'createPortalKey'> = async ({ database }, caller, { body }) =>
  await database.transact(caller, async (tx) => {
    const { scopes: callerScopes } = await loadCallerAuthority(tx, caller, 'webhooks:write')
    const requested: Scope[] = body.can_write ? ['webhooks:read', 'webhooks:write'] : ['webhooks:read']
    const placement = await requireWorkspacePlacement(tx, caller.workspaceId)
    const secret = generateApiKey(placement)
    await insertPortalKey(tx, {
      placement,
      portalLinkId: body.portal_link_id,
      customerId: body.customer_id,
      scopes: requireGrantableScopes(callerScopes, requested),
      expiresAt: new Date(body.expires_at),
      createdBy: caller.principal,
      secret,
    })
    return { key: secret.text }
  })

/** Revokes the credential of a portal link. Succeeds also if there is none any more. */
export const deletePortalKey: Operation<'deletePortalKey'> = async (
  context,
  caller,
  { params: { portal_link_id: id } },
) =>
  await context.database.transact(caller, async (tx) => {
    await revokePortalKeys(context, tx, caller.workspaceId, { portalLinkId: id })
    return { id }
  })
