import { afterAll, afterEach, describe, expect, it } from '@jest/globals'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { newId } from '@wp/database'
import { noMetrics, type Worker } from '@wp/runtime'
import { eventually, testNats } from '@wp/testkit'
import { type Bus, createRelay, type RelayOptions, streamName } from '../src/index.ts'
import { callerIn, emit, openTestEnvironment } from './fixture/test-environment.ts'

let bus: Bus

const environment = await openTestEnvironment()
const raw = await connect({ servers: testNats().url })
afterEach(() => environment.clear())
afterAll(async () => {
  await raw.close()
  await environment.close()
})

/** Returns the messages in the shard's stream, in order. */
async function stored(
  shard: string,
): Promise<{ subject: string; id: string; data: unknown; header: string | undefined }[]> {
  const manager = await jetstreamManager(raw)
  const { state } = await manager.streams.info(streamName(shard))
  const messages = []
  for (let seq = state.first_seq; seq <= state.last_seq && state.messages > 0; seq += 1) {
    const message = await manager.streams.getMessage(streamName(shard), { seq })
    if (message === null) continue
    messages.push({
      subject: message.subject,
      id: message.json<{ id: string }>().id,
      data: message.json<{ data: unknown }>().data,
      header: message.header.get('Nats-Msg-Id'),
    })
  }
  return messages
}

async function startRelay(shard: string, options: Partial<RelayOptions> = {}): Promise<Worker> {
  bus = await environment.bus(testNats().url, shard)
  const { database, log, run } = environment
  return run(createRelay({ database, bus, service: 'data', log, ...options }))
}

/** Metrics that count the passes of a relay. */
function countPasses() {
  const passes = {
    count: 0,
    metrics: {
      ...noMetrics,
      gauge(name: string) {
        if (name === 'bus_connected') passes.count += 1
      },
    },
  }
  return passes
}

/** Resolves when a wake of one bus, sent after this call, has reached the other. */
async function untilHeard(sender: Bus, receiver: Bus): Promise<void> {
  const queue = newId('evt')
  let isHeard = false
  const remove = receiver.onWake('data', queue, () => {
    isHeard = true
  })
  await eventually(() => {
    sender.wake('data', queue)
    return isHeard
  })
  remove()
}

describe('the relay', () => {
  it('publishes committed events in order, under the subject of producer, kind and workspace', async () => {
    const { shard } = testNats()
    await startRelay(shard)
    const workspace = newId('ws')
    const ids = await environment.commit(5, workspace)
    await emit(environment.database, newId('evt'), null)
    const messages = await eventually(async () => {
      const found = await stored(shard)
      return found.length === 6 && found
    })
    expect(messages.slice(0, 5).map(({ id }) => id)).toEqual(ids)
    expect(messages[0]?.subject).toBe(`events.${shard}.data.USER_REMOVED.${workspace}`)
    expect(messages[5]?.subject).toBe(`events.${shard}.data.USER_REMOVED._`)
    expect(messages.map(({ header }) => header)).toEqual(messages.map(({ id }) => id))
    const unpublished = () => environment.queryAsAdmin('SELECT FROM platform.outbox WHERE published_at IS NULL')
    await eventually(async () => (await unpublished()).length === 0)
  })

  it('publishes when woken by a commit, without waiting for the poll', async () => {
    const { shard } = testNats()
    await startRelay(shard, { pollMs: 3_600_000 })
    await eventually(() => stored(shard).then(() => true))
    await environment.commit(1)
    await eventually(async () => (await stored(shard)).length === 1, { intervalMs: 5 })
  })

  it('does not skip an event whose transaction began earlier and committed later', async () => {
    const { shard } = testNats()
    await startRelay(shard, { pollMs: 50 })
    const [early, later] = [newId('evt'), newId('evt')]
    const committed = Promise.withResolvers<void>()
    const inserted = Promise.withResolvers<void>()
    const slow = environment.database.transact(callerIn(newId('ws')), async (tx) => {
      await tx.query('SELECT 1')
      await tx.query(
        `INSERT INTO platform.outbox (id, kind, workspace_id, occurred_at, actor, request_id, data)
         VALUES ($1, 'USER_REMOVED', '', now(), '{"id":"a","type":"user"}', 'req-00000000', '{}')`,
        [early],
      )
      inserted.resolve()
      await committed.promise
    })
    await inserted.promise
    await emit(environment.database, later, newId('ws'))
    await eventually(async () => (await stored(shard)).some(({ id }) => id === later))
    committed.resolve()
    await slow
    await eventually(async () => (await stored(shard)).some(({ id }) => id === early))
  })

  it('keeps the order and publishes every event when two relays run', async () => {
    const { shard } = testNats()
    const ids = await environment.commit(450)
    for (const database of [environment.connect(), environment.connect()]) {
      const relay = createRelay({
        database,
        bus: await environment.bus(testNats().url, shard),
        service: 'data',
        log: environment.log,
        pollMs: 20,
      })
      await environment.run(relay)
    }
    const more = await environment.commit(50)
    await eventually(async () => {
      const [row] = await environment.queryAsAdmin<{ left: number }>(
        'SELECT count(*)::int AS left FROM platform.outbox WHERE published_at IS NULL',
      )
      return row?.left === 0
    })
    expect((await stored(shard)).map(({ id }) => id)).toEqual([...ids, ...more])
  })

  it('does not publish while another replica holds the outbox', async () => {
    const { shard } = testNats()
    const passes = countPasses()
    await startRelay(shard, { pollMs: 10, metrics: passes.metrics })
    await eventually(() => stored(shard).then(() => true))
    const other = await environment.database.worker.connect()
    try {
      await other.query(`BEGIN; SELECT pg_advisory_xact_lock(hashtext('platform'), hashtext('outbox'))`)
      await environment.commit(1)
      passes.count = 0
      await eventually(() => passes.count > 10)
      expect(await stored(shard)).toEqual([])
      await other.query('COMMIT')
    } finally {
      other.release()
    }
    await eventually(async () => (await stored(shard)).length === 1)
  })

  it('publishes an event committed while another replica held the outbox, without waiting for the poll', async () => {
    const { shard } = testNats()
    const passes = countPasses()
    await startRelay(shard, { pollMs: 3_600_000, metrics: passes.metrics })
    await eventually(() => passes.count === 1)
    const other = await environment.database.worker.connect()
    try {
      await other.query(`BEGIN; SELECT pg_advisory_xact_lock(hashtext('platform'), hashtext('outbox'))`)
      await environment.commit(1)
      // the pass that the commit requested has ended, and another has begun
      await eventually(() => passes.count >= 3)
      await other.query('COMMIT')
    } finally {
      other.release()
    }
    await eventually(async () => (await stored(shard)).length === 1)
  })

  it('wakes the relays of other replicas when it stops, for the events it leaves', async () => {
    const { shard } = testNats()
    const stopping = await startRelay(shard, { pollMs: 3_600_000, database: environment.connect() })
    const stoppingBus = bus
    const passes = countPasses()
    await startRelay(shard, { pollMs: 3_600_000, metrics: passes.metrics })
    await eventually(() => passes.count === 1)
    await untilHeard(stoppingBus, bus)
    await environment.queryAsAdmin(
      `INSERT INTO platform.outbox (id, kind, workspace_id, occurred_at, actor, request_id, data)
       VALUES ($1, 'USER_REMOVED', '', now(), '{"id":"a","type":"user"}', 'req-00000000', '{}')`,
      [newId('evt')],
    )
    await stopping.stop()
    await eventually(async () => (await stored(shard)).length === 1)
    expect(passes.count).toBe(2)
  })

  it('publishes the commits of its own process only when woken', async () => {
    const { shard } = testNats()
    const replica = environment.connect()
    const replicaBus = await environment.bus(testNats().url, shard)
    await startRelay(shard, { pollMs: 3_600_000, database: replica, bus: replicaBus })
    const passes = countPasses()
    await startRelay(shard, { pollMs: 3_600_000, metrics: passes.metrics })
    await eventually(() => passes.count === 1)
    await untilHeard(replicaBus, bus)
    await emit(replica, newId('evt'), null)
    // the broker has the event before the other relay commits and releases the outbox
    const unpublished = () => environment.queryAsAdmin('SELECT FROM platform.outbox WHERE published_at IS NULL')
    await eventually(async () => (await unpublished()).length === 0)
    // a message for the outbox would have arrived before this one
    await untilHeard(replicaBus, bus)
    await environment.commit(1)
    await eventually(async () => (await stored(shard)).length === 2)
    expect(passes.count).toBe(2)
  })

  it('records an event that is too large for the broker as a dead letter and continues', async () => {
    const { shard } = testNats()
    await startRelay(shard)
    const [large, small] = [newId('evt'), newId('evt')]
    await environment.queryAsAdmin(
      `INSERT INTO platform.outbox (id, kind, workspace_id, occurred_at, actor, request_id, data)
       VALUES ($1, 'USER_REMOVED', '', now(), '{"id":"a","type":"user"}', 'req-00000000', $2)`,
      [large, JSON.stringify({ text: 'x'.repeat(1_100_000) })],
    )
    await emit(environment.database, small, newId('ws'))
    await eventually(async () => (await stored(shard)).length === 1)
    expect((await stored(shard))[0]?.id).toBe(small)
    // The broker has the event before the relay's transaction commits.
    const deadLetters = await eventually(async () => {
      const rows = await environment.queryAsAdmin('SELECT event_id FROM platform.dead_events WHERE consumer = $1', [
        'relay',
      ])
      return rows.length > 0 && rows
    })
    expect(deadLetters).toEqual([{ event_id: large }])
  })
  it('publishes an event that is too large for the broker truncated when it has an id and a status', async () => {
    const { shard } = testNats()
    await startRelay(shard)
    const large = newId('evt')
    await environment.queryAsAdmin(
      `INSERT INTO platform.outbox (id, kind, workspace_id, occurred_at, actor, request_id, data)
       VALUES ($1, 'PLAN_CHANGED', '', now(), '{"id":"a","type":"user"}', 'req-00000000', $2)`,
      [large, JSON.stringify({ id: 'sub_1', status: 'active', text: 'x'.repeat(1_100_000) })],
    )
    await eventually(async () => (await stored(shard)).length === 1)
    expect((await stored(shard))[0]).toMatchObject({
      id: large,
      data: { id: 'sub_1', status: 'active', truncated: true },
    })
  })
})
