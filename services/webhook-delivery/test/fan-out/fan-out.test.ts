import { afterAll, afterEach, describe, expect, it } from '@jest/globals'
import type { EventFilter } from '@wp/contracts'
import { newId } from '@wp/database'
import { streamName } from '@wp/events'
import { eventually } from '@wp/testkit'
import { startHarness } from '../fixture/harness.ts'

const fanOutConcurrency = 2

const harness = await startHarness({ ACK_WAIT_SECONDS: '45', FAN_OUT_CONCURRENCY: String(fanOutConcurrency) })

afterEach(() =>
  harness.sql.query('TRUNCATE deliveries, subscriptions, endpoints, attempts, filtered_counts').catch(() => {}),
)

afterAll(() => harness.stop())

/** Adds polled subscriptions, whose deliveries are written and not sent. @returns their ids */
async function addSubscriptions(
  workspaceId: string,
  count: number,
  filter: EventFilter | null = null,
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId('wh'))
  await harness.sql.query(
    `WITH created AS (
       INSERT INTO subscriptions (webhook_id, workspace_id, events, delivery, filter)
       SELECT id, $2, '{*}', 'poll', $3 FROM unnest($1::text[]) AS id RETURNING webhook_id
     )
     INSERT INTO endpoints (webhook_id, workspace_id, is_polled, is_enabled) SELECT webhook_id, $2, true, false FROM created`,
    [ids, workspaceId, filter],
  )
  return ids
}

const publishTo = (workspaceId: string) => harness.publish('FORECASTING_FINISHED', { workspace_id: workspaceId })

async function readDeliveries(eventId: string) {
  const { rows } = await harness.sql.query<{ webhook_id: string; transaction: string; body: string }>(
    `SELECT webhook_id, xmin::text AS transaction, convert_from(body, 'UTF8') AS body FROM deliveries
     WHERE event_id = $1 ORDER BY webhook_id`,
    [eventId],
  )
  return rows
}

/** Locks subscriptions, so that no delivery to them can be written, until `unlock` is called or `work` ends. */
async function withLockedSubscriptions(
  ids: string | undefined | readonly string[],
  work: (unlock: () => Promise<unknown>) => Promise<void>,
) {
  const connection = await harness.sql.connect()
  try {
    await connection.query('BEGIN')
    await connection.query('SELECT FROM subscriptions WHERE webhook_id = ANY ($1) FOR UPDATE', [[ids].flat()])
    await work(() => connection.query('COMMIT'))
  } finally {
    await connection.query('ROLLBACK')
    connection.release()
  }
}

/** Returns the number of events that the service has not yet pulled. */
const countUnpulled = async (): Promise<number> => {
  const { shard, jetstream } = harness.bus
  const info = await jetstream.broker().manager.consumers.info(streamName(shard), 'webhook-delivery_deliveries')
  return info.num_pending
}

/** Counts transactions of one workspace that wait for a lock: those of several give up after 200 ms. */
const countWaitingForLocks = async (): Promise<number | undefined> =>
  (
    await harness.sql.query<{ count: number }>(
      `SELECT count(DISTINCT pid)::int FROM pg_locks waiting JOIN pg_locks held USING (pid)
       WHERE NOT waiting.granted AND waiting.waitstart < clock_timestamp() - interval '0.5 s'
         AND held.database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    )
  ).rows[0]?.count

const isHandled = async (eventId: string): Promise<boolean> =>
  (await harness.sql.query('SELECT FROM platform.inbox WHERE event_id = $1', [eventId])).rows.length > 0

describe('the fan-out of an event to 250 subscriptions', () => {
  it('writes 100 deliveries a transaction, and each once', async () => {
    const workspaceId = newId('ws')
    const ids = await addSubscriptions(workspaceId, 250)
    const { id } = await publishTo(workspaceId)
    await eventually(() => isHandled(id))
    const rows = await readDeliveries(id)
    expect(rows.map((row) => row.webhook_id)).toEqual(ids.sort())
    const sizes = [...Map.groupBy(rows, (row) => row.transaction).values()].map((step) => step.length)
    expect(sizes.sort((a, b) => a - b)).toEqual([50, 100, 100])
    expect(new Set(rows.map(({ body }) => JSON.parse(body).request_id)).size).toBe(250)
  })

  it('is acknowledged when all are written', async () => {
    const workspaceId = newId('ws')
    const ids = (await addSubscriptions(workspaceId, 250)).sort()
    await withLockedSubscriptions(ids[150], async (unlock) => {
      const { id } = await publishTo(workspaceId)
      await eventually(async () => (await readDeliveries(id)).length === 100)
      expect(await isHandled(id)).toBe(false)
      await unlock()
      await eventually(() => isHandled(id))
      expect((await readDeliveries(id)).map((row) => row.webhook_id)).toEqual(ids)
    })
  })

  it('continues where it was interrupted by a crash', async () => {
    const workspaceId = newId('ws')
    const ids = (await addSubscriptions(workspaceId, 250)).sort()
    const eventId = newId('evt')
    await harness.sql.query(
      `INSERT INTO deliveries (request_id, workspace_id, webhook_id, event_id, event_kind, body, status, occurred_at)
       SELECT 'dlv_' || id, $2, id, $3, 'FORECASTING_FINISHED', '{}', 'pending', now() FROM unnest($1::text[]) AS id`,
      [ids.slice(0, 100), workspaceId, eventId],
    )
    await harness.publish('FORECASTING_FINISHED', { workspace_id: workspaceId, id: eventId })
    await eventually(() => isHandled(eventId))
    const rows = await readDeliveries(eventId)
    expect(rows.map((row) => row.webhook_id)).toEqual(ids)
    expect(rows.filter(({ body }) => body === '{}')).toHaveLength(100)
  })
})

describe('events of a workspace that arrive together', () => {
  it('are written together, 100 deliveries a transaction at most, and each once', async () => {
    const workspaceId = newId('ws')
    const ids = (await addSubscriptions(workspaceId, 3)).sort()
    const events: string[] = []
    await withLockedSubscriptions(ids[0], async (unlock) => {
      // More than may be in progress: the others are deferred.
      for (let index = 0; index < 100; index += 1) events.push((await publishTo(workspaceId)).id)
      await unlock()
    })
    await eventually(async () => (await Promise.all(events.map(isHandled))).every(Boolean))
    const written = (await Promise.all(events.map(readDeliveries))).flat()
    expect(written.map((row) => row.webhook_id)).toEqual(events.flatMap(() => ids))
    const sizes = [...Map.groupBy(written, (row) => row.transaction).values()].map((rows) => rows.length)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(100)
    expect(sizes.length).toBeLessThan(events.length / 2)
    // A deferred event is deleted after the transaction that handles it.
    const deferred = 'SELECT FROM platform.deferred_events WHERE workspace_id = $1'
    await eventually(async () => (await harness.sql.query(deferred, [workspaceId])).rows.length === 0)
  })
})

describe('events of a workspace whose fan-out takes long', () => {
  it('do not delay the event of another workspace', async () => {
    const [busy, quiet] = [newId('ws'), newId('ws')]
    const [locked] = await addSubscriptions(busy, 1)
    await addSubscriptions(quiet, 1)
    await withLockedSubscriptions(locked, async (unlock) => {
      const waiting: string[] = []
      for (let index = 0; index < 20; index += 1) waiting.push((await publishTo(busy)).id)
      const areHandled = () => Promise.all(waiting.map(isHandled))
      const { id } = await publishTo(quiet)
      await eventually(() => isHandled(id))
      expect(await areHandled()).not.toContain(true)
      await unlock()
      await eventually(async () => (await areHandled()).every(Boolean))
    })
  })
})

describe('events of several workspaces that wait for a turn', () => {
  it('are written together, each to the subscriptions of its workspace and by their filters', async () => {
    const occupying = Array.from({ length: fanOutConcurrency }, () => newId('ws'))
    const sizes = [1, 2, 150, 3]
    const workspaces = await Promise.all(
      sizes.map(async (size) => {
        const workspaceId = newId('ws')
        const [filtered] = await addSubscriptions(workspaceId, 1, { all: { 'error.code': 'auth' } })
        return { workspaceId, ids: await addSubscriptions(workspaceId, size), filtered }
      }),
    )
    const locked: string[] = []
    for (const workspaceId of occupying) locked.push(...(await addSubscriptions(workspaceId, 1)))
    const events: { id: string; ids: string[] }[] = []
    await withLockedSubscriptions(locked, async (unlock) => {
      for (const workspaceId of occupying) await publishTo(workspaceId)
      await eventually(async () => (await countWaitingForLocks()) === fanOutConcurrency)
      for (let round = 0; round < 3; round += 1)
        for (const { workspaceId, ids } of workspaces) events.push({ id: (await publishTo(workspaceId)).id, ids })
      await eventually(async () => (await countUnpulled()) === 0)
      await unlock()
    })
    await eventually(async () => (await Promise.all(events.map(({ id }) => isHandled(id)))).every(Boolean))
    const transactions = new Map<string, Set<string>>()
    for (const { id, ids } of events) {
      const rows = await readDeliveries(id)
      expect(rows.map((row) => row.webhook_id)).toEqual(ids.toSorted())
      for (const { transaction } of rows)
        transactions.set(transaction, (transactions.get(transaction) ?? new Set()).add(ids.join()))
    }
    expect(Math.max(...[...transactions.values()].map((each) => each.size))).toBeGreaterThan(1)
    const { rows } = await harness.sql.query(
      'SELECT workspace_id, webhook_id, filtered::int FROM filtered_counts ORDER BY webhook_id',
    )
    expect(rows).toEqual(
      workspaces
        .map(({ workspaceId, filtered }) => ({ workspace_id: workspaceId, webhook_id: filtered, filtered: 3 }))
        .sort((first, second) => (String(first.webhook_id) < String(second.webhook_id) ? -1 : 1)),
    )
  })
})

describe('the consumer of the fan-out', () => {
  it('has the redelivery time of ACK_WAIT_SECONDS', async () => {
    const { shard, jetstream } = harness.bus
    const { config } = await eventually(() =>
      jetstream.broker().manager.consumers.info(streamName(shard), 'webhook-delivery_deliveries'),
    )
    expect(config.ack_wait).toBe(45_000_000_000)
  })
})
