import type { Row } from '@wp/database'
import type { Notification } from '#db'
import type { Tx } from './client.ts'

/** Common values of the notifications about one event. */
export type NotificationContent = Row<
  Notification,
  'eventId' | 'kind' | 'category' | 'isCritical' | 'title' | 'body' | 'link'
>

export type NewNotification = Row<Notification, 'id' | 'recipientId' | 'isInApp'>

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
