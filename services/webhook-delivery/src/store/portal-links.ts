import {
  type EventFilter,
  type InputOf,
  type Page,
  type PortalTheme,
  problem,
  type webhookPortalLinks,
} from '@wp/contracts'
import { afterCursor, countRows, paginateBy, type Query } from '@wp/database'
import type { RetentionRule } from '@wp/jobs/background'
import { type PortalLink, Prisma } from '#db'
import type { Db, Tx } from './client.ts'
import { type Owner, ownedBy } from './owner.ts'

export type PortalLinkRow = PortalLink

export const portalLinkQuota = countRows('portal_links', 'portal_links', 'revoked_at IS NULL AND expires_at > now()')

/** Kept for some time, so that the page of an ended link can say so and lead back. */
export const portalLinkRetention: RetentionRule = {
  table: 'portal_links',
  column: 'expires_at',
  period: '30 days',
  batchRows: 500,
}

const isActive = (now: Date) => ({ revokedAt: null, expiresAt: { gt: now } })

type NewPortalLinkRow = Omit<PortalLink, 'createdAt' | 'revokedAt' | 'filter' | 'theme'> & {
  filter: EventFilter | null
  theme: PortalTheme
}

export const insertPortalLink = ({ db }: Tx, { filter, ...row }: NewPortalLinkRow): Promise<PortalLinkRow> =>
  db.portalLink.create({ data: { ...row, filter: filter ?? Prisma.DbNull } })

/** Returns an active link. @throws Problem `not_found`, also for that of another workspace or customer */
export async function findPortalLink(db: Db, owner: Owner, portalLinkId: string, now: Date): Promise<PortalLinkRow> {
  const row = await db.portalLink.findFirst({ where: { ...ownedBy(owner), portalLinkId, ...isActive(now) } })
  if (row === null) throw problem('not_found')
  return row
}

/** Returns one page of the active links, newest first. */
export async function findPortalLinks(
  db: Db,
  owner: Owner,
  { customer_id: customerId, limit, cursor }: InputOf<typeof webhookPortalLinks.listPortalLinks>['query'],
  now: Date,
): Promise<Page<PortalLinkRow>> {
  const rows = await db.portalLink.findMany({
    where: {
      ...ownedBy(owner),
      ...isActive(now),
      ...(customerId === undefined ? {} : { customerId }),
      ...afterCursor(cursor, 'portalLinkId'),
    },
    orderBy: [{ createdAt: 'desc' }, { portalLinkId: 'desc' }],
    take: limit + 1,
  })
  return paginateBy(rows, limit, 'portalLinkId')
}

/** Marks an active link as revoked. @throws Problem `not_found` */
export async function revokePortalLinkRow({ db }: Tx, owner: Owner, portalLinkId: string, now: Date): Promise<void> {
  const where = { ...ownedBy(owner), portalLinkId, ...isActive(now) }
  const { count } = await db.portalLink.updateMany({ where, data: { revokedAt: now } })
  if (count === 0) throw problem('not_found')
}

/** The part of a link that its page shows. */
export type PortalPageRow = Pick<PortalLink, 'frameOrigins' | 'returnUrl' | 'theme' | 'expiresAt' | 'revokedAt'>

/** Returns what the page of a link of any workspace shows, also of one that has ended; undefined if there is none. */
export const findPortalPage = async (query: Query, portalLinkId: string): Promise<PortalPageRow | undefined> =>
  (
    await query<PortalPageRow>(
      'SELECT frame_origins, return_url, theme, expires_at, revoked_at FROM portal_links WHERE portal_link_id = $1',
      [portalLinkId],
    )
  )[0]
