import { type Page, problem } from '@wp/contracts'
import { afterCursor, type Database, paginate, type Row } from '@wp/database'
import type { Notification } from '#db'
import type { Db, Tx } from './client.ts'

export type NotificationRow = Notification

/** The feed of a recipient, as far as a caller may read it. */
export interface FeedKey {
  workspaceId: string
  /** A user, or the workspace for the feed that all other principals share. */
  recipientId: string
  /** The kinds that the caller may read. */
  kinds: readonly string[]
}

interface NotificationFilter {
  limit: number
  cursor?: string | undefined
  unread?: boolean | undefined
}

const visible = ({ workspaceId, recipientId, kinds }: FeedKey) => ({
  workspaceId,
  recipientId,
  isInApp: true,
  kind: { in: [...kinds] },
})

/** Returns one page of a feed, newest first. */
export async function findNotifications(
  db: Db,
  feed: FeedKey,
  { limit, cursor, unread }: NotificationFilter,
): Promise<Page<NotificationRow>> {
  const rows = await db.notification.findMany({
    where: {
      ...visible(feed),
      ...(unread === undefined ? {} : { readAt: unread ? null : { not: null } }),
      ...afterCursor(cursor),
    },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: limit + 1,
  })
  return paginate(rows, limit, (row) => row)
}

export const countUnread = (db: Db, feed: FeedKey): Promise<number> =>
  db.notification.count({ where: { ...visible(feed), readAt: null } })

/** Returns the notifications after a position, oldest first. */
export const findAfter = (
  db: Db,
  feed: FeedKey,
  { after, limit }: { after: bigint; limit: number },
): Promise<NotificationRow[]> =>
  db.notification.findMany({
    where: { ...visible(feed), position: { gt: after } },
    orderBy: { position: 'asc' },
    take: limit,
  })

/** Returns the position of the newest notification of a feed; 0 if it never had one. */
export async function lastPosition(
  db: Db,
  { workspaceId, recipientId }: Pick<FeedKey, 'workspaceId' | 'recipientId'>,
): Promise<bigint> {
  const feed = await db.feed.findFirst({ where: { workspaceId, recipientId } })
  return feed?.lastPosition ?? 0n
}

/** Marks a notification as read; the time of the first reading stays. @throws Problem `not_found` */
export async function markRead({ db }: Tx, feed: FeedKey, id: string, at: Date): Promise<NotificationRow> {
  await db.notification.updateMany({ where: { ...visible(feed), id, readAt: null }, data: { readAt: at } })
  const row = await db.notification.findFirst({ where: { ...visible(feed), id } })
  if (row === null) throw problem('not_found')
  return row
}

/** Marks all visible notifications of a feed as read. @returns the number of those that were unread */
export async function markAllRead({ db }: Tx, feed: FeedKey, at: Date): Promise<number> {
  const { count } = await db.notification.updateMany({
    where: { ...visible(feed), readAt: null },
    data: { readAt: at },
  })
  return count
}

/** Deletes the notifications of feeds beyond their newest `keep`. @returns the number of deleted rows */
export async function deleteExcessNotifications(
  pool: Database['worker'],
  { keep, limit }: { keep: number; limit: number },
): Promise<number> {
  const { rowCount } = await pool.query(
    `DELETE FROM notifications WHERE id IN (
       SELECT n.id FROM feeds f JOIN notifications n ON n.workspace_id = f.workspace_id
         AND n.recipient_id = f.recipient_id AND n.position <= f.last_position - $1 LIMIT $2)`,
    [keep, limit],
  )
  return rowCount ?? 0
}

/** Common values of the notifications about one event. */
export type NotificationContent = Row<
  Notification,
  'eventId' | 'kind' | 'category' | 'isCritical' | 'title' | 'body' | 'link'
>

type NewNotification = Row<Notification, 'id' | 'recipientId' | 'isInApp'>

/**
 * Inserts the notifications of one event for some recipients, at the end of their feeds. Recipients who have one
 * already are left out. The rows of the feeds are locked in the order of the recipients, so that transactions do not
 * deadlock.
 * @returns the ids of the notifications that were inserted
 */
export async function insertNotifications(
  { query, workspaceId }: Tx,
  { eventId, kind, category, isCritical, title, body, link }: NotificationContent,
  notifications: readonly NewNotification[],
): Promise<Set<string>> {
  const rows = await query<Row<Notification, 'id'>>(
    `WITH added AS (
       SELECT given.* FROM unnest($2::text[], $3::text[], $4::boolean[]) AS given (id, recipient_id, is_in_app)
       WHERE NOT EXISTS (SELECT FROM notifications n
         WHERE n.workspace_id = $1 AND n.recipient_id = given.recipient_id AND n.event_id = $5)
       ORDER BY given.recipient_id
     ), numbered AS (
       INSERT INTO feeds AS feed (workspace_id, recipient_id, last_position) SELECT $1, recipient_id, 1 FROM added
       ON CONFLICT (workspace_id, recipient_id) DO UPDATE SET last_position = feed.last_position + 1
       RETURNING recipient_id, last_position
     )
     INSERT INTO notifications
       (id, workspace_id, recipient_id, position, event_id, kind, category, is_critical, is_in_app, title, body, link)
     SELECT id, $1, recipient_id, last_position, $5, $6, $7, $8, is_in_app, $9, $10, $11
     FROM added JOIN numbered USING (recipient_id)
     RETURNING id`,
    [
      workspaceId,
      notifications.map(({ id }) => id),
      notifications.map(({ recipientId }) => recipientId),
      notifications.map(({ isInApp }) => isInApp),
      ...[eventId, kind, category, isCritical, title, body, link],
    ],
    'insert_notifications',
  )
  return new Set(rows.map(({ id }) => id))
}
