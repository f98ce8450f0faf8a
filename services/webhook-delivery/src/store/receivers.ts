import { maxReceivedRequests, type Page, testReceiverDays } from '@wp/contracts'
import { afterCursor, countRows, newId, paginate, type Query, type Row } from '@wp/database'
import type { RetentionRule } from '@wp/jobs/background'
import type { ReceivedRequest, TestReceiver } from '#db'
import type { Db, Tx } from './client.ts'

export type TestReceiverRow = TestReceiver

export const receiverQuota = countRows('test_receivers', 'test_receivers')

export const receiverRetention: RetentionRule = { table: 'test_receivers', column: 'expires_at', batchRows: 100 }

/** Requests a minute that a receiver accepts. */
const maxPerMinute = 120

const dayMs = 86_400_000

export const insertReceiver = (
  { db }: Tx,
  { workspaceId, token, nowMs }: { workspaceId: string; token: string; nowMs: number },
): Promise<TestReceiverRow> =>
  db.testReceiver.create({
    data: {
      receiverId: newId('rcv'),
      workspaceId,
      token,
      createdAt: new Date(nowMs),
      expiresAt: new Date(nowMs + testReceiverDays * dayMs),
    },
  })

/** Returns a page of the receivers of a workspace that have not expired, newest first. */
export async function findReceivers(
  db: Db,
  workspaceId: string,
  { now, limit, cursor }: { now: Date; limit: number; cursor?: string | undefined },
): Promise<Page<TestReceiverRow>> {
  const rows = await db.testReceiver.findMany({
    where: { workspaceId, expiresAt: { gt: now }, ...afterCursor(cursor, 'receiverId') },
    orderBy: [{ createdAt: 'desc' }, { receiverId: 'desc' }],
    take: limit + 1,
  })
  return paginate(rows, limit, ({ createdAt, receiverId }) => ({ createdAt, id: receiverId }))
}

/** Returns a receiver of a workspace that has not expired, by its id or token; null if there is none. */
export const findReceiver = (
  db: Db,
  workspaceId: string,
  by: { receiverId: string } | { token: string },
  now: Date,
): Promise<TestReceiverRow | null> =>
  db.testReceiver.findFirst({ where: { workspaceId, ...by, expiresAt: { gt: now } } })

/** @returns false if there was none */
export async function removeReceiver({ db }: Tx, workspaceId: string, receiverId: string): Promise<boolean> {
  const { count } = await db.testReceiver.deleteMany({ where: { workspaceId, receiverId } })
  return count > 0
}

/** The place in which an admitted request is stored. */
export interface AdmittedRequest extends Row<TestReceiver, 'receiverId' | 'workspaceId'> {
  slot: number
}

/**
 * Counts a request at the receiver with a token, in the given workspace if any.
 * @returns `limited` if it had too many in the current minute, `unknown` if there is none
 */
export async function admitRequest(
  query: Query,
  token: string,
  workspaceId: string | undefined,
): Promise<AdmittedRequest | 'limited' | 'unknown'> {
  const values = [token, workspaceId ?? null]
  const [admitted] = await query<AdmittedRequest>(
    `UPDATE test_receivers SET received = received + 1, last_received_at = now(),
       minute_count = CASE WHEN minute_started_at < now() - interval '1 minute' THEN 1 ELSE minute_count + 1 END,
       minute_started_at = CASE WHEN minute_started_at < now() - interval '1 minute' THEN now() ELSE minute_started_at END
     WHERE token = $1 AND ($2::text IS NULL OR workspace_id = $2) AND expires_at > now()
       AND (minute_count < ${maxPerMinute} OR minute_started_at < now() - interval '1 minute')
     RETURNING receiver_id, workspace_id, received % ${maxReceivedRequests} AS slot`,
    values,
  )
  if (admitted !== undefined) return admitted
  const known = await query(
    `SELECT FROM test_receivers WHERE token = $1 AND ($2::text IS NULL OR workspace_id = $2) AND expires_at > now()`,
    values,
  )
  return known.length > 0 ? 'limited' : 'unknown'
}

/** Returns the sealed secrets of the subscriptions that deliver to an endpoint, previous ones during their overlap. */
export const findReceiverSecrets = (
  query: Query,
  workspaceId: string,
  endpoint: string,
): Promise<{ webhookId: string; secret: string }[]> =>
  query(
    `SELECT webhook_id, secret FROM subscriptions,
       LATERAL (VALUES (secret_sealed), (CASE WHEN previous_expires_at > now() THEN previous_secret_sealed END))
         AS secrets (secret)
     WHERE workspace_id = $1 AND endpoint = $2 AND secret IS NOT NULL`,
    [workspaceId, endpoint],
  )

type NewReceivedRequest = AdmittedRequest &
  Row<ReceivedRequest, 'createdAt' | 'body' | 'bodyBytes' | 'signature'> & { headers: Record<string, string> }

/** Stores a request over the oldest of its receiver. A receiver that was deleted just now has none. */
export const storeReceivedRequest = (query: Query, row: NewReceivedRequest): Promise<unknown> =>
  query(
    `INSERT INTO received_requests (receiver_id, slot, workspace_id, id, created_at, headers, body, body_bytes, signature)
     SELECT receiver_id, $2, workspace_id, $3, $4, $5, $6, $7, $8 FROM test_receivers WHERE receiver_id = $1
     ON CONFLICT (receiver_id, slot) DO UPDATE SET id = excluded.id, created_at = excluded.created_at,
       headers = excluded.headers, body = excluded.body, body_bytes = excluded.body_bytes, signature = excluded.signature`,
    [
      ...[row.receiverId, row.slot, newId('rrq'), row.createdAt, JSON.stringify(row.headers), row.body],
      ...[row.bodyBytes, row.signature],
    ],
  )

export type ReceivedRequestRow = ReceivedRequest

/** Returns a page of the requests of a receiver, newest first. There are few, so they need no index of their own. */
export async function findReceivedRequests(
  db: Db,
  { workspaceId, receiverId }: Pick<TestReceiver, 'workspaceId' | 'receiverId'>,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<ReceivedRequestRow>> {
  const rows = await db.receivedRequest.findMany({
    where: { workspaceId, receiverId, ...afterCursor(cursor) },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: limit + 1,
  })
  return paginate(rows, limit, (row) => row)
}
