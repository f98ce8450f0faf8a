import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { newId } from '@wp/database'
import type { Worker } from '@wp/runtime'
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
import { emit, openTestEnvironment, recordEffect, type TestEnvironment } from './fixture/test-environment.ts'

let environment: TestEnvironment
let raw: NatsConnection
const workers: Worker[] = []

beforeAll(async () => {
  environment = await openTestEnvironment()
  raw = await connect({ servers: testNats().url })
})
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()))
  for (const table of ['platform.outbox', 'platform.inbox', 'platform.dead_events', 'platform.streams', 'effects'])
    await environment.queryAsAdmin(`DELETE FROM ${table}`)
})
afterAll(async () => {
  await raw.close()
  await environment.close()
})

type Overrides = Partial<ConsumerOptions<unknown>> & { bus?: Bus }

/** A shard of its own with a relay, and a way to start consumers in it. */
async function openShard() {
  const { url, shard } = testNats()
  const bus = await environment.bus(url, shard)
  const run = async <W extends Worker>(worker: W): Promise<W> => {
    workers.push(worker)
    await worker.start()
    return worker
  }
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
  it('handles each event once, in the transaction of its inbox row, and tells where it stands', async () => {
    const { consume } = await openShard()
    const sequences: number[] = []
    const consumer = await consume(async (event, tx, meta) => {
      sequences.push(meta.sequence)
      await recordEffect(event, tx, meta)
    })
    const ids = await environment.commit(20)
    expect([...(await settled(20))].sort()).toEqual([...ids].sort())
    expect([...sequences].sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
    await eventually(async () => (await consumer.ackFloor()) === 20)
  })

  it('makes stream and consumer where they are missing', async () => {
    const { url, shard } = testNats()
    const bus = await environment.bus(url, shard)
    const options = { service: 'webhook-delivery', purpose: 'alone', kinds: 'all', log: environment.log } as const
    const consumer = createConsumer({ ...options, database: environment.database, bus, handle: recordEffect })
    workers.push(consumer)
    await consumer.start()
    expect(await eventually(async () => (await consumer.ackFloor()) === 0)).toBe(true)
  })

  it('acts as the app role in the workspace of the event, as the service, for the request that began it', async () => {
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

  it('handles an event that was published twice once', async () => {
    const { shard, consume } = await openShard()
    const consumer = await consume()
    const [id] = await environment.commit(1)
    await settled(1)
    const manager = await jetstreamManager(raw)
    const first = await manager.streams.getMessage(streamName(shard), { seq: 1 })
    if (first === null) throw new Error('nothing was published')
    // Under another message id, as after the broker's duplicate window.
    await jetstream(raw).publish(first.subject, first.data, { msgID: 'another' })
    await eventually(async () => (await consumer.ackFloor()) === 2)
    expect(await environment.effects()).toEqual([id])
  })

  it('keeps its place on the broker when its kinds change', async () => {
    const { shard, consume } = await openShard()
    const ids = await environment.commit(2)
    const before = await consume(recordEffect, { kinds: ['USER_REMOVED'] })
    await settled(2)
    await eventually(async () => (await before.ackFloor()) === 2)
    await before.stop()
    const after = await consume(recordEffect, { kinds: 'all' })
    const more = await environment.commit(1)
    await settled(3)
    await eventually(async () => (await after.ackFloor()) === 3)
    expect([...(await environment.effects())].sort()).toEqual([...ids, ...more].sort())
    const { config } = await (await jetstreamManager(raw)).consumers.info(streamName(shard), 'webhook-delivery_fan-out')
    expect(config).toMatchObject({
      filter_subject: `events.${shard}.>`,
      ack_policy: 'explicit',
      ack_wait: 30_000_000_000,
      max_deliver: -1,
      max_ack_pending: 256,
    })
  })

  it('acknowledges kinds it does not want without touching the database', async () => {
    const { consume } = await openShard()
    const consumer = await consume(recordEffect, { kinds: ['USER_INVITED', 'PLAN_CHANGED'], producer: 'data' })
    await environment.commit(3)
    await eventually(async () => (await consumer.ackFloor()) === 3)
    expect(await environment.queryAsAdmin('SELECT FROM platform.inbox')).toHaveLength(0)
  })

  it('gives up a poison event after five tries while others flow, and takes it up again when it is put back', async () => {
    const { consume } = await openShard()
    const tries: string[] = []
    let mended = false
    await consume(async (event, tx, meta) => {
      if (event.id === poison) {
        tries.push(event.id)
        if (!mended) throw new Error('cannot be handled\0')
      }
      await recordEffect(event, tx, meta)
    })
    const workspaceId = newId('ws')
    const poison = newId('evt')
    await emit(environment.database, poison, workspaceId)
    const others = await environment.commit(10)
    const [dead] = await eventually(async () => {
      const rows = await environment.queryAsAdmin('SELECT * FROM platform.dead_events WHERE died_at IS NOT NULL')
      return rows.length > 0 && rows
    })
    expect(tries).toHaveLength(5)
    expect(dead).toMatchObject({
      consumer: 'webhook-delivery_fan-out',
      event_id: poison,
      workspace_id: workspaceId,
      tries: 5,
      error: 'Error: cannot be handled',
    })
    expect([...(await settled(10))].sort()).toEqual([...others].sort())
    expect(await environment.queryAsAdmin('SELECT FROM platform.inbox')).toHaveLength(10)

    mended = true
    expect(await redrive(environment.workerQuery, { consumer: 'another' })).toBe(0)
    expect(await redrive(environment.workerQuery, { consumer: 'webhook-delivery_fan-out' })).toBe(1)
    await settled(11)
    expect(await environment.effects()).toContain(poison)
    expect(await environment.queryAsAdmin('SELECT FROM platform.dead_events')).toHaveLength(0)
  })

  it('counts five tries again for an event that was put back and still fails', async () => {
    const { consume } = await openShard()
    let tries = 0
    await consume(
      async () => {
        tries += 1
        throw new Error('still')
      },
      { retryMs: [5] },
    )
    await environment.commit(1)
    const dead = () =>
      environment.queryAsAdmin('SELECT tries, redrive_at FROM platform.dead_events WHERE died_at IS NOT NULL')
    await eventually(async () => (await dead()).length === 1)
    await redrive(environment.workerQuery, {})
    await eventually(async () => tries === 10)
    expect(await eventually(async () => ((await dead()).length === 1 ? dead() : false))).toEqual([
      { tries: 5, redrive_at: null },
    ])
  })

  it('buries what is no event, and goes on', async () => {
    const { shard, consume } = await openShard()
    const consumer = await consume()
    await environment.commit(1)
    await settled(1)
    await jetstream(raw).publish(`events.${shard}.data.USER_REMOVED._`, '{"id": 1}', { msgID: 'broken' })
    await eventually(async () => (await consumer.ackFloor()) === 2)
    const [row] = await environment.queryAsAdmin('SELECT event_id, error FROM platform.dead_events')
    expect(row).toEqual({ event_id: 'broken', error: 'id is not a text' })
  })

  it('rests while the infrastructure fails, trying nothing and counting nothing', async () => {
    const { consume } = await openShard()
    let away = true
    let tries = 0
    const ids = await environment.commit(10)
    environment.log.messages.length = 0
    await consume(
      async (event, tx, meta) => {
        tries += 1
        if (away) throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
        await recordEffect(event, tx, meta)
      },
      { maxAttempts: 1, concurrency: 1 },
    )
    const rests = () =>
      environment.log.messages.filter((line) => line === 'what a consumer needs is away; it rests').length
    await eventually(() => rests() >= 3)
    expect(tries).toBe(rests())
    away = false
    expect([...(await settled(10))].sort()).toEqual([...ids].sort())
    expect(await environment.queryAsAdmin('SELECT FROM platform.dead_events')).toHaveLength(0)
  })

  it('keeps pulling quietly where a handler takes longer than heartbeats may stay out', async () => {
    const { consume } = await openShard()
    const ids = await environment.commit(30)
    environment.log.messages.length = 0
    const consumer = await consume(
      async (event, tx, meta) => {
        if (event.id === ids[0]) await tx.query('SELECT pg_sleep(1.8)')
        await recordEffect(event, tx, meta)
      },
      { concurrency: 1, heartbeatMs: 500 },
    )
    expect(await settled(30)).toEqual(ids)
    await eventually(async () => (await consumer.ackFloor()) === 30)
    expect(environment.log.messages).toEqual([])
  })

  it('leaves nothing behind where replicas come and go', async () => {
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
    const effects = await eventually(
      async () => {
        const found = await environment.effects()
        return found.length >= 601 && found
      },
      { timeoutMs: 15_000 },
    )
    expect(new Set(effects).size).toBe(601)
  })

  it('lets what is on its way to it arrive when it is stopped', async () => {
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
        const now = await consumer.ackFloor()
        return now > floor && now
      })
      await consumer.stop()
    }
    const last = await consume(recordEffect, others)
    await eventually(async () => (await last.ackFloor()) === 2_000, { timeoutMs: 10_000 })
  })

  it('finishes what is under way when it is stopped, and leaves the rest to another replica at once', async () => {
    const { bus, consume } = await openShard()
    const begun = Promise.withResolvers<void>()
    const mayEnd = Promise.withResolvers<void>()
    const first = await consume(
      async (event, tx, meta) => {
        begun.resolve()
        await mayEnd.promise
        await recordEffect(event, tx, meta)
      },
      { concurrency: 1 },
    )
    const ids = await environment.commit(10)
    await begun.promise
    const began = performance.now()
    const stopped = first.stop()
    mayEnd.resolve()
    await stopped
    expect((await environment.effects())[0]).toBe(ids[0])

    // What the first one did not take need not time out before another one gets it.
    const second = await consume()
    expect([...(await settled(10))].sort()).toEqual([...ids].sort())
    await eventually(async () => (await second.ackFloor()) === 10)
    const idleSince = performance.now()
    await second.stop()
    expect(performance.now() - idleSince).toBeLessThan(1_000)
    const database = environment.connect()
    await consume(recordEffect, { bus, database })
    const more = await environment.commit(5)
    expect([...(await settled(15))].sort()).toEqual([...ids, ...more].sort())
    expect(performance.now() - began).toBeLessThan(10_000)
  })
})
