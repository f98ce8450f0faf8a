import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { newId } from '@wp/database'
import { eventually, testNats } from '@wp/testkit'
import { allowAtomicBatches, type Bus, createRelay, publishEvent, streamName } from '../src/index.ts'
import { openTestEnvironment, type TestEnvironment } from './fixture/test-environment.ts'

const hasBatches = await supportsBatches()
if (!hasBatches) process.stderr.write('Batches of events are not tested: this nats-server is older than 2.12.\n')

let environment: TestEnvironment
let raw: NatsConnection

beforeAll(async () => {
  environment = await openTestEnvironment()
  raw = await connect({ servers: testNats().url })
})
afterEach(() => environment.clear())
afterAll(async () => {
  await raw.close()
  await environment.close()
})

async function supportsBatches(): Promise<boolean> {
  const connection = await connect({ servers: testNats().url })
  const [major = 0, minor = 0] = (connection.info?.version ?? '').split('.').map(Number)
  await connection.close()
  return major > 2 || (major === 2 && minor >= 12)
}

const startRelay = (bus: Bus) =>
  environment.run(createRelay({ database: environment.database, bus, service: 'data', log: environment.log }))

/** Returns the messages in the stream, in order, with the id of the batch they came in. */
async function stored(shard: string): Promise<{ id: string; batch: string }[]> {
  const { streams } = await jetstreamManager(raw)
  const { state } = await streams.info(streamName(shard))
  const messages = []
  for (let seq = state.first_seq; seq <= state.last_seq && state.messages > 0; seq += 1) {
    const message = await streams.getMessage(streamName(shard), { seq })
    if (message !== null)
      messages.push({ id: message.json<{ id: string }>().id, batch: message.header.get('Nats-Batch-Id') })
  }
  return messages
}

/** Inserts events whose data have these sizes. @returns their ids, in order */
async function insertEvents(sizes: readonly number[]): Promise<string[]> {
  const ids = sizes.map(() => newId('evt'))
  await environment.queryAsAdmin(
    `INSERT INTO platform.outbox (id, kind, workspace_id, occurred_at, actor, request_id, data)
     SELECT id, 'USER_REMOVED', 'ws_' || n % 3, now(), '{"id":"a","type":"user"}', 'req-00000000',
       jsonb_build_object('text', repeat('x', size))
     FROM unnest($1::text[], $2::int[]) WITH ORDINALITY AS event (id, size, n) ORDER BY n`,
    [ids, sizes],
  )
  return ids
}

const repeat = (count: number, size: number): number[] => Array.from({ length: count }, () => size)

async function allPublished(): Promise<void> {
  await eventually(async () => {
    const [row] = await environment.queryAsAdmin<{ left: number }>(
      'SELECT count(*)::int AS left FROM platform.outbox WHERE published_at IS NULL',
    )
    return row?.left === 0
  })
}

/** Creates a stream as an earlier release did. */
async function addStreamWithoutBatches(shard: string): Promise<void> {
  const { streams } = await jetstreamManager(raw)
  await streams.add({
    name: streamName(shard),
    subjects: [`events.${shard}.>`],
    storage: 'file',
    retention: 'limits',
    discard: 'new',
    duplicate_window: 600e9,
  })
}

const describeWithBatches = hasBatches ? describe : describe.skip
describeWithBatches('a relay with a broker that accepts batches', () => {
  it('publishes waiting events of all workspaces in order, 200 in a batch', async () => {
    const { shard, url } = testNats()
    const ids = await insertEvents(repeat(450, 10))
    await startRelay(await environment.bus(url, shard))
    await allPublished()
    const messages = await stored(shard)
    expect(messages.map(({ id }) => id)).toEqual(ids)
    expect(new Set(messages.map(({ batch }) => batch)).size).toBe(3)
  })

  it('publishes a single event without a batch', async () => {
    const { shard, url } = testNats()
    await insertEvents([10])
    await startRelay(await environment.bus(url, shard))
    await allPublished()
    expect(await stored(shard)).toEqual([{ id: expect.any(String), batch: '' }])
  })

  it('completes a batch at 4 MiB', async () => {
    const { shard, url } = testNats()
    const ids = await insertEvents(repeat(12, 900_000))
    await startRelay(await environment.bus(url, shard))
    await allPublished()
    const messages = await stored(shard)
    expect(messages.map(({ id }) => id)).toEqual(ids)
    const sizes = Object.values(Object.groupBy(messages, ({ batch }) => batch)).map((group) => group?.length)
    expect(sizes).toEqual([5, 5, 2])
  })

  it('keeps the order and stores each event once if the broker has some of a batch', async () => {
    const { shard, url } = testNats()
    const bus = await environment.bus(url, shard)
    await allowAtomicBatches(bus)
    const ids = await insertEvents(repeat(20, 10))
    const common = {
      kind: 'USER_REMOVED',
      occurred_at: '2026-01-01T00:00:00.000Z',
      request_id: 'req-00000000',
      traceparent: null,
    }
    for (const id of ids.slice(0, 7))
      await publishEvent(bus, 'data', { ...common, id, workspace_id: '', actor: { id: 'a', type: 'user' }, data: {} })
    await startRelay(bus)
    await allPublished()
    expect((await stored(shard)).map(({ id }) => id)).toEqual(ids)
  })

  it('records the event of a batch that is too large for the broker as a dead letter, and publishes the others', async () => {
    const { shard, url } = testNats()
    const ids = await insertEvents([10, 10, 1_100_000, 10, 10, 10])
    await startRelay(await environment.bus(url, shard))
    await allPublished()
    expect((await stored(shard)).map(({ id }) => id)).toEqual(ids.toSpliced(2, 1))
    expect(await environment.queryAsAdmin('SELECT event_id FROM platform.dead_events')).toEqual([{ event_id: ids[2] }])
  })

  it('publishes one event at a time to a stream of an earlier release, until the migrator has allowed batches', async () => {
    const { shard, url } = testNats()
    await addStreamWithoutBatches(shard)
    const first = await insertEvents(repeat(5, 10))
    const bus = await environment.bus(url, shard)
    await startRelay(bus)
    await allPublished()
    expect(await stored(shard)).toEqual(first.map((id) => ({ id, batch: '' })))

    await environment.stopWorkers()
    await allowAtomicBatches(bus)
    const second = await insertEvents(repeat(5, 10))
    await startRelay(bus)
    await allPublished()
    const messages = await stored(shard)
    expect(messages.map(({ id }) => id)).toEqual([...first, ...second])
    expect(new Set(messages.slice(5).map(({ batch }) => batch)).size).toBe(1)
    expect(messages[5]?.batch).not.toBe('')
  })
})
