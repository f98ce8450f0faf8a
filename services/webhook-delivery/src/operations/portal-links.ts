import { authInternal, portalPath, problem } from '@wp/contracts'
import { enforceQuota, mapPage, newId, workerQuery } from '@wp/database'
import type { Operation } from '../context.ts'
import { checkOfferedKinds } from '../portal/customer-rules.ts'
import { portalLinkView, portalPageView } from '../portal/portal-views.ts'
import {
  findPortalLink,
  findPortalLinks,
  findPortalPage,
  insertPortalLink,
  portalLinkQuota,
  revokePortalLinkRow,
} from '../store/portal-links.ts'

const minuteMs = 60_000

export const listPortalLinks: Operation<'listPortalLinks'> = async ({ database, now }, caller, { query }) => {
  const page = await database.read(caller, (db) => findPortalLinks(db, caller, query, new Date(now())))
  return mapPage(page, portalLinkView)
}

/**
 * Creates a link. Auth makes its secret first, because no other service is called inside a transaction: a secret whose
 * link was not stored is known to no one, and opens nothing.
 */
export const createPortalLink: Operation<'createPortalLink'> = async (context, caller, { body }) => {
  const { database, internal, settings, now } = context
  const { workspaceId, shard, principal } = caller
  const portalLinkId = newId('plink')
  const events = checkOfferedKinds(body.events)
  const expiresAt = new Date(now() + body.expires_in_minutes * minuteMs)
  const { customer_id: customerId, can_write: canWrite, frame_origins: frameOrigins } = body
  const { key } = await internal.callForCaller(caller, 'webhooks:write', authInternal.createPortalKey, {
    params: {},
    query: {},
    body: {
      portal_link_id: portalLinkId,
      customer_id: customerId,
      can_write: canWrite,
      expires_at: expiresAt.toISOString(),
    },
  })
  return database.transact(caller, async (tx) => {
    const row = await insertPortalLink(tx, {
      portalLinkId,
      workspaceId,
      customerId,
      customerName: body.customer_name,
      events,
      filter: body.filter,
      canWrite,
      frameOrigins,
      returnUrl: body.return_url,
      theme: body.theme,
      createdBy: principal.id,
      expiresAt,
    })
    await enforceQuota(tx.query, workspaceId, portalLinkQuota)
    tx.audit({ changes: { customer_id: customerId, can_write: canWrite, expires_at: expiresAt.toISOString() } })
    // The cell is in the address, because the page is asked for before anyone has authenticated; the secret is not.
    return { ...portalLinkView(row), url: `${settings.publicBaseUrl}${portalPath}/${shard}.${portalLinkId}#${key}` }
  })
}

/** Returns an active link. A portal link reads its own only, and not what is meant for the workspace. */
export const getPortalLink: Operation<'getPortalLink'> = async (
  { database, now },
  caller,
  { params: { portal_link_id: id } },
) => {
  const { customerId, principal } = caller
  if (customerId !== undefined && principal.id !== id) throw problem('not_found')
  const row = await database.read(caller, (db) => findPortalLink(db, caller, id, new Date(now())))
  const view = portalLinkView(row)
  return customerId === undefined ? view : { ...view, filter: null, created_by: null }
}

/** Revokes a link: first its secret, at which the edge refuses it, so that a failure in between leaves it revocable. */
export const revokePortalLink: Operation<'revokePortalLink'> = async (
  { database, internal, now },
  caller,
  { params: { portal_link_id: id } },
) => {
  await database.read(caller, (db) => findPortalLink(db, caller, id, new Date(now())))
  await internal.callForCaller(caller, 'webhooks:write', authInternal.deletePortalKey, {
    params: { portal_link_id: id },
    query: {},
    body: undefined,
  })
  return database.transact(caller, async (tx) => {
    await revokePortalLinkRow(tx, caller, id, new Date(now()))
    return { id }
  })
}

/** Reads what the page of a link shows before anyone has authenticated. */
export const readPortalPage: Operation<'readPortalPage'> = async (
  { database },
  _caller,
  { params: { portal_link_id: id } },
) => {
  const row = await findPortalPage(workerQuery(database.worker), id)
  if (row === undefined) throw problem('not_found')
  return portalPageView(row)
}
