import type { Query, Row } from '@wp/database'
import type { Delivery, Notification } from '#db'
import type { Tx } from './client.ts'

/** The channels other than the app. */
export type DeliveryChannel = 'email' | 'slack'

/**
 * `sending`: an attempt has begun and its result is not recorded. `uncertain`: it may have been sent; it is not sent
 * again. `skipped`: the recipient may no longer get it.
 */
export type DeliveryState = 'pending' | 'sending' | 'sent' | 'failed' | 'uncertain' | 'skipped'

export interface NewDelivery extends Row<Delivery, 'notificationId' | 'recipientId' | 'isDigest'> {
  channel: DeliveryChannel
}

/** A delivery with its notification. */
export interface DeliveryRow
  extends Row<Delivery, 'notificationId' | 'recipientId'>,
    Row<Notification, 'kind' | 'category' | 'isCritical' | 'title' | 'body' | 'link' | 'createdAt'> {
  channel: DeliveryChannel
  state: DeliveryState
  /** As the catalogue made them; null without any, and in a digest. */
  details: unknown
}

const columns = `d.notification_id, d.recipient_id, d.channel, d.state, n.kind, n.category, n.is_critical, n.title,
  n.body, n.link, n.created_at, d.details`
const tables = 'deliveries d JOIN notifications n ON n.id = d.notification_id'

/** Inserts deliveries of one event. @param details those of the event, a JSON value; a digest does not show them */
export async function insertDeliveries(
  { query, workspaceId }: Tx,
  deliveries: readonly NewDelivery[],
  details: unknown,
): Promise<void> {
  await query(
    `INSERT INTO deliveries (workspace_id, notification_id, recipient_id, channel, is_digest, state, details)
     SELECT $1, given.*, 'pending', CASE WHEN given.is_digest THEN NULL ELSE $6::jsonb END
     FROM unnest($2::text[], $3::text[], $4::text[], $5::boolean[])
       AS given (notification_id, recipient_id, channel, is_digest)`,
    [
      workspaceId,
      deliveries.map(({ notificationId }) => notificationId),
      deliveries.map(({ recipientId }) => recipientId),
      deliveries.map(({ channel }) => channel),
      deliveries.map(({ isDigest }) => isDigest),
      details === null ? null : JSON.stringify(details),
    ],
  )
}

/** Finds a delivery; undefined after its notification was deleted. */
export async function findDelivery(
  query: Query,
  workspaceId: string,
  { notificationId, channel }: Pick<NewDelivery, 'notificationId' | 'channel'>,
): Promise<DeliveryRow | undefined> {
  const [row] = await query<DeliveryRow>(
    `SELECT ${columns} FROM ${tables} WHERE d.workspace_id = $1 AND d.notification_id = $2 AND d.channel = $3`,
    [workspaceId, notificationId, channel],
  )
  return row
}

/** Lists those of some recipients who were mailed at least `count` single notifications of a kind since a time. */
export const listOftenMailed = (
  { query, workspaceId }: Tx,
  recipientIds: readonly string[],
  { kind, since, count }: { kind: string; since: Date; count: number },
): Promise<Pick<DeliveryRow, 'recipientId'>[]> =>
  query(
    `SELECT d.recipient_id FROM ${tables} WHERE d.workspace_id = $1 AND d.recipient_id = ANY($2) AND d.created_at > $3
       AND d.channel = 'email' AND NOT d.is_digest AND n.kind = $4 GROUP BY d.recipient_id HAVING count(*) >= $5`,
    [workspaceId, recipientIds, since, kind, count],
  )

/** Lists the deliveries of a recipient that wait for a digest or whose digest was interrupted, oldest first. */
export const listForDigest = (
  query: Query,
  workspaceId: string,
  { recipientId, isCritical, limit }: { recipientId: string; isCritical: boolean; limit: number },
): Promise<DeliveryRow[]> =>
  query<DeliveryRow>(
    `SELECT ${columns} FROM ${tables} WHERE d.workspace_id = $1 AND d.recipient_id = $2 AND d.is_digest
       AND d.channel = 'email' AND d.state IN ('pending', 'sending') AND n.is_critical = $4
     ORDER BY d.created_at, d.notification_id LIMIT $3`,
    [workspaceId, recipientId, limit, isCritical],
  )

/** Changes the state of deliveries that are in another one. @returns the number of changed deliveries */
export async function changeState(
  { query, workspaceId }: Tx,
  deliveries: readonly Pick<DeliveryRow, 'notificationId' | 'channel'>[],
  { from, to, reason }: { from: DeliveryState; to: DeliveryState; reason?: string | undefined },
): Promise<number> {
  const rows = await query(
    `UPDATE deliveries SET state = $4, reason = $5, updated_at = clock_timestamp()
     FROM unnest($2::text[], $6::text[]) AS given (notification_id, channel)
     WHERE deliveries.workspace_id = $1 AND deliveries.notification_id = given.notification_id
       AND deliveries.channel = given.channel AND deliveries.state = $3 RETURNING 1`,
    [
      workspaceId,
      deliveries.map(({ notificationId }) => notificationId),
      ...[from, to, reason ?? null],
      deliveries.map(({ channel }) => channel),
    ],
  )
  return rows.length
}
