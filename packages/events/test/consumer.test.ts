import { afterAll, afterEach, describe, expect, it } from '@jest/globals'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { newId } from '@wp/database'
import { eventually, testNats } from '@wp/testkit'
import {
  type Bus,
  type ConsumerOptions,
  createConsumer,
  createRelay,
  type EventConsumer,
  type EventHandler,
  redrive,
  streamName,
} from '../src/index.ts'
import { emit, openTestEnvironment, recordEffect } from './fixture/test-environment.ts'

const environment = await openTestEnvironment()
const raw = await connect({ servers: testNats().url })
afterEach(() => environment.clear())
afterAll(async () => {
  await raw.close()
  await environment.close()
})

/** Advisory lock that blocks a handler until the test releases it. */
const handlerLock = 4_711

const ackWaitMs = 600_000

type Overrides = Partial<ConsumerOptions<unknown>> & { bus?: Bus }

/** Opens a new shard with a relay. `consume` starts a consumer in it. */
async function openShard() {
  const { url, shard } = testNats()
  const bus = await environment.bus(url, shard)
  const { run } = environment
  await run(createRelay({ database: environment.database, bus, service: 'data', log: environment.log }))
  const consume = (handle: EventHandler = recordEffect, overrides: Overrides = {}): Promise<EventConsumer> =>
    run(
      createConsumer({
        database: environment.database,
        bus,
        service: 'webhook-delivery',
        purpose: 'fan-out',
        kinds: ['USER_REMOVED', 'USER_INVITED'],
        handle,
        log: environment.log,
        retryMs: [5, 5, 5, 5],
        redrivePollMs: 50,
        ...overrides,
      }),
    )
  return { shard, bus, consume }
}

const settled = (count: number) =>
  eventually(async () => {
    const effects = await environment.effects()
    return effects.length >= count && effects
  })

describe('a consumer', () => {
  it('handles each event once, with its stream sequence, and reports the ack floor', async () => {
    const { consume } = await openShard()
    const sequences: number[] = []
    const consumer = await consume(async (event, tx, metadata) => {
      sequences.push(metadata.sequence)
      await recordEffect(event, tx, metadata)
    })
    const ids = await environment.commit(20)
    expect([...(await settled(20))].sort()).toEqual([...ids].sort())
    expect([...sequences].sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
    await eventually(async () => (await consumer.watermark()).sequence === 20)
  })

  it('creates the stream and the durable consumer when they are missing', async () => {
    const { url, shard } = testNats()
    const bus = await environment.bus(url, shard)
    const options = { service: 'webhook-delivery', purpose: 'alone', kinds: 'all', log: environment.log } as const
    const consumer = createConsumer({ ...options, database: environment.database, bus, handle: recordEffect })
    await environment.run(consumer)
    expect(await eventually(async () => (await consumer.watermark()).sequence === 0)).toBe(true)
  })

  it('handles an event as the app role in its workspace, with the service as actor and the original request id', async () => {
    const { consume } = await openShard()
    const workspaceId = newId('ws')
    const seen: unknown[] = []
    await consume(
      async (event, tx) => {
        seen.push(
          ...(await tx.query(`SELECT current_user AS "user", current_setting('app.workspace_id') AS workspace`)),
        )
        tx.emit({ kind: 'API_KEY_REVOKED', data: { id: event.id, status: 'revoked', name: null } })
      },
      { kinds: ['USER_REMOVED'], maxAttempts: 1, purpose: 'once' },
    )
    const [id] = await environment.commit(1, workspaceId)
    const [followUp] = await eventually(async () => {
      const rows = await environment.queryAsAdmin<{
        workspace_id: string
        actor: object
        request_id: string
        traceparent: string
      }>(`SELECT workspace_id, actor, request_id, traceparent FROM platform.outbox WHERE data->>'id' = $1`, [id])
      return rows.length > 0 && rows
    })
    expect(seen[0]).toEqual({ user: 'wp_events_test', workspace: workspaceId })
    expect(followUp).toEqual({
      workspace_id: workspaceId,
      actor: { id: 'webhook-delivery', type: 'service' },
      request_id: 'req-4f1c2a90',
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    })
  })

  it('handles an event once when it was published twice', async () => {
    const { shard, consume } = await openShard()
    const consumer = await consume()
    const [id] = await environment.commit(1)
    await settled(1)
    const manager = await jetstreamManager(raw)
    const first = await manager.streams.getMessage(streamName(shard), { seq: 1 })
    if (first === null) throw new Error('nothing was published')
    // Another message id, as if after the broker's duplicate window.
    await jetstream(raw).publish(first.subject, first.data, { msgID: 'another' })
    await eventually(async () => (await consumer.watermark()).sequence === 2)
    expect(await environment.effects()).toEqual([id])
  })

  it('keeps its position on the broker when its kinds change', async () => {
    const { shard, consume } = await openShard()
    const ids = await environment.commit(2)
    const before = await consume(recordEffect, { kinds: ['USER_REMOVED'] })
    await settled(2)
    await eventually(async () => (await before.watermark()).sequence === 2)
    await before.stop()
    const after = await consume(recordEffect, { kinds: 'all' })
    const more = await environment.commit(1)
    await settled(3)
    await eventually(async () => (await after.watermark()).sequence === 3)
    expect([...(await environment.effects())].sort()).toEqual([...ids, ...more].sort())
    const { config } = await (await jetstreamManager(raw)).consumers.info(streamName(shard), 'webhook-delivery_fan-out')
    expect(config).toMatchObject({
      filter_subject: `events.${shard}.>`,
      ack_policy: 'explicit',
      ack_wait: 6_000_000_000,
      max_deliver: -1,
      max_ack_pending: 256,
    })
  })

  it('acknowledges other kinds without accessing the database', async () => {
    const { consume } = await openShard()
    const consumer = await consume(recordEffect, { kinds: ['USER_INVITED', 'PLAN_CHANGED'], producer: 'data' })
    await environment.commit(3)
    await eventually(async () => (await consumer.watermark()).sequence === 3)
    expect(await environment.queryAsAdmin('SELECT FROM platform.inbox')).toHaveLength(0)
  })

  it('dead-letters an event after five failed attempts without delaying others, and handles it when redriven', async () => {
    const { consume } = await openShard()
    const attempts: string[] = []
    let isFixed = false
    await consume(async (event, tx, metadata) => {
      if (event.id === poison) {
        attempts.push(event.id)
        if (!isFixed) throw new Error('cannot be handled\0')
      }
      await recordEffect(event, tx, metadata)
    })
    const workspaceId = newId('ws')
    const poison = newId('evt')
    await emit(environment.database, poison, workspaceId)
    const others = await environment.commit(10)
    const [dead] = await eventually(async () => {
      const rows = await environment.queryAsAdmin('SELECT * FROM platform.dead_events WHERE died_at IS NOT NULL')
      return rows.length > 0 && rows
    })
    expect(attempts).toHaveLength(5)
    expect(dead).toMatchObject({
      consumer: 'webhook-delivery_fan-out',
      event_id: poison,
      workspace_id: workspaceId,
      failures: 5,
      error: 'Error: cannot be handled',
    })
    expect([...(await settled(10))].sort()).toEqual([...others].sort())
    expect(await environment.queryAsAdmin('SELECT FROM platform.inbox')).toHaveLength(10)

    isFixed = true
    expect(await redrive(environment.workerQuery, { consumer: 'another' })).toBe(0)
    expect(await redrive(environment.workerQuery, { consumer: 'webhook-delivery_fan-out' })).toBe(1)
    await settled(11)
    expect(await environment.effects()).toContain(poison)
    expect(await environment.queryAsAdmin('SELECT FROM platform.dead_events')).toHaveLength(0)
  })

  it('allows five more attempts for a redriven event that still fails', async () => {
    const { consume } = await openShard()
    let attempts = 0
    await consume(
      async () => {
        attempts += 1
        throw new Error('still')
      },
      { retryMs: [5] },
    )
    await environment.commit(1)
    const dead = () =>
      environment.queryAsAdmin('SELECT failures, redrive_at FROM platform.dead_events WHERE died_at IS NOT NULL')
    await eventually(async () => (await dead()).length === 1)
    await redrive(environment.workerQuery, {})
    await eventually(async () => attempts === 10)
    expect(await eventually(async () => ((await dead()).length === 1 ? dead() : false))).toEqual([
      { failures: 5, redrive_at: null },
    ])
  })

  it('dead-letters a malformed message and continues', async () => {
    const { shard, consume } = await openShard()
    const consumer = await consume()
    await environment.commit(1)
    await settled(1)
    await jetstream(raw).publish(`events.${shard}.data.USER_REMOVED._`, '{"id": 1}', { msgID: 'broken' })
    await eventually(async () => (await consumer.watermark()).sequence === 2)
    const [row] = await environment.queryAsAdmin('SELECT event_id, error FROM platform.dead_events')
    expect(row).toEqual({ event_id: 'broken', error: 'id is not a string' })
  })

  it('pauses without counting attempts while the infrastructure fails', async () => {
    const { consume } = await openShard()
    let isUnavailable = true
    let attempts = 0
    const ids = await environment.commit(10)
    environment.log.entries.length = 0
    await consume(
      async (event, tx, metadata) => {
        attempts += 1
        if (isUnavailable) throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
        await recordEffect(event, tx, metadata)
      },
      { maxAttempts: 1, concurrency: 1 },
    )
    const pauses = () => environment.log.entries.filter(({ event }) => event === 'consumer.paused').length
    // The next attempt may be in progress, and ends with a pause too.
    await eventually(() => pauses() >= 3 && attempts === pauses(), { description: 'one attempt a pause' })
    isUnavailable = false
    expect([...(await settled(10))].sort()).toEqual([...ids].sort())
    expect(await environment.queryAsAdmin('SELECT FROM platform.dead_events')).toHaveLength(0)
  })

  it('keeps pulling without a restart when a handler takes longer than two heartbeats', async () => {
    const { consume } = await openShard()
    const [lock] = await environment.queryAsAdmin<{ startedAt: Date }>(
      `SELECT clock_timestamp() AS "startedAt", pg_advisory_lock(${handlerLock})`,
    )
    const startedAt = lock?.startedAt
    const ids = await environment.commit(30)
    environment.log.entries.length = 0
    const consumer = await consume(
      async (event, tx, metadata) => {
        if (event.id === ids[0]) await tx.query(`SELECT pg_advisory_xact_lock(${handlerLock})`)
        await recordEffect(event, tx, metadata)
      },
      { concurrency: 1, heartbeatMs: 1_500 },
    )
    // Longer than two heartbeats by the clock of the database.
    await eventually(async () => {
      const [row] = await environment.queryAsAdmin<{ isOver: boolean }>(
        `SELECT clock_timestamp() > $1::timestamptz + interval '4 s' AS "isOver"`,
        [startedAt],
      )
      return row?.isOver
    })
    await environment.queryAsAdmin(`SELECT pg_advisory_unlock(${handlerLock})`)
    expect(await settled(30)).toEqual(ids)
    await eventually(async () => (await consumer.watermark()).sequence === 30)
    expect(environment.log.entries).toEqual([])
  })

  it('handles every event once while replicas start and stop', async () => {
    const { consume } = await openShard()
    await environment.commit(1)
    await environment.queryAsAdmin(
      `INSERT INTO platform.outbox (id, kind, workspace_id, occurred_at, actor, request_id, data)
       SELECT 'evt_' || n, 'USER_REMOVED', '', now(), '{"id":"a","type":"user"}', 'req-00000000', '{}'
       FROM generate_series(1, 600) AS n`,
    )
    for (let replica = 1; replica <= 6; replica += 1) {
      const before = (await environment.effects()).length
      const consumer = await consume(recordEffect, { concurrency: 3 })
      await eventually(async () => (await environment.effects()).length > before + 15, { intervalMs: 1 })
      await consumer.stop()
    }
    await consume(recordEffect, { concurrency: 3 })
    const effects = await eventually(async () => {
      const found = await environment.effects()
      return found.length >= 601 && found
    })
    expect(new Set(effects).size).toBe(601)
  })

  it('acknowledges messages in transit when it is stopped', async () => {
    const { consume } = await openShard()
    await environment.queryAsAdmin(
      `INSERT INTO platform.outbox (id, kind, workspace_id, occurred_at, actor, request_id, data)
       SELECT 'evt_' || n, 'USER_REMOVED', '', now(), '{"id":"a","type":"user"}', 'req-00000000', '{}'
       FROM generate_series(1, 2000) AS n`,
    )
    const others = { kinds: ['PLAN_CHANGED', 'USER_INVITED'] }
    let floor = 0
    while (floor < 1_500) {
      const consumer = await consume(recordEffect, others)
      floor = await eventually(async () => {
        const { sequence: now } = await consumer.watermark()
        return now > floor && now
      })
      await consumer.stop()
    }
    const last = await consume(recordEffect, others)
    await eventually(async () => (await last.watermark()).sequence === 2_000)
  })

  it('finishes events in progress when it is stopped and releases the others to another replica at once', async () => {
    const { bus, consume } = await openShard()
    const begun = Promise.withResolvers<void>()
    const mayEnd = Promise.withResolvers<void>()
    const first = await consume(
      async (event, tx, metadata) => {
        begun.resolve()
        await mayEnd.promise
        await recordEffect(event, tx, metadata)
      },
      { concurrency: 1, ackWaitMs },
    )
    const ids = await environment.commit(10)
    await begun.promise
    const stopped = first.stop()
    mayEnd.resolve()
    await stopped
    expect((await environment.effects())[0]).toBe(ids[0])

    // The ack wait is longer than this test, so the other events must have been released.
    const second = await consume(recordEffect, { ackWaitMs })
    expect([...(await settled(10))].sort()).toEqual([...ids].sort())
    await eventually(async () => (await second.watermark()).sequence === 10)
    let isStopped = false
    const idle = second.stop().then(() => {
      isStopped = true
    })
    // An idle consumer does not wait for its pull request, which expires after 30 s.
    await eventually(() => isStopped)
    await idle
    const database = environment.connect()
    await consume(recordEffect, { bus, database, ackWaitMs })
    const more = await environment.commit(5)
    expect([...(await settled(15))].sort()).toEqual([...ids, ...more].sort())
  })
})
