import { afterAll, afterEach, describe, expect, it } from '@jest/globals'
import type { DomainEvent } from '@wp/contracts'
import { newId } from '@wp/database'
import { type Metrics, noMetrics } from '@wp/runtime'
import { eventually, testNats } from '@wp/testkit'
import {
  type BatchConsumerOptions,
  type BatchHandler,
  type Bus,
  createBatchConsumer,
  createConsumer,
  createRelay,
  eventSubject,
  parseSubject,
  publishEvent,
  redrive,
} from '../src/index.ts'
import { emit, openTestEnvironment, recordEffect } from './fixture/test-environment.ts'

const environment = await openTestEnvironment()
afterEach(() => environment.clear())
afterAll(() => environment.close())

const recordEffects: BatchHandler = async (batch, tx) => {
  for (const { event, metadata } of batch) await recordEffect(event, tx, metadata)
}

async function openShard() {
  const { url, shard } = testNats()
  const bus = await environment.bus(url, shard)
  const { run } = environment
  await run(createRelay({ database: environment.database, bus, service: 'data', log: environment.log }))
  const settings = {
    database: environment.database,
    bus,
    service: 'audit',
    purpose: 'log',
    kinds: ['USER_REMOVED'],
    log: environment.log,
    retryMs: [5],
    redrivePollMs: 50,
  }
  const consume = (handle = recordEffects, overrides: Partial<BatchConsumerOptions<unknown>> = {}) =>
    run(createBatchConsumer({ ...settings, handle, ...overrides }))
  const consumeOneByOne = (overrides: object) =>
    run(createConsumer({ ...settings, handle: recordEffect, ...overrides }))
  return { bus, shard, consume, consumeOneByOne }
}

const settled = (count: number) =>
  eventually(async () => {
    const effects = await environment.effects()
    return effects.length >= count && effects
  })

/** Publishes events of a workspace directly to the broker, in order. @returns their ids */
async function publish(bus: Bus, count: number, workspaceId: string): Promise<string[]> {
  const ids = Array.from({ length: count }, (): string => newId('evt'))
  for (const id of ids) await publishEvent(bus, 'data', eventOf(id, workspaceId))
  return ids
}

/** Publishes with other message ids, as if after the broker's duplicate window. */
async function publishAgain(bus: Bus, ids: readonly string[], workspaceId: string): Promise<void> {
  for (const id of ids) {
    const event = eventOf(id, workspaceId)
    const subject = eventSubject(bus.shard, 'data', event)
    await bus.jetstream.broker().client.publish(subject, JSON.stringify(event), { msgID: `again-${id}` })
  }
}

const eventOf = (id: string, workspaceId: string): DomainEvent => ({
  id,
  kind: 'USER_REMOVED',
  workspace_id: workspaceId,
  occurred_at: '2026-01-05T09:30:00.000Z',
  actor: { id: 'usr_01h455vb4pex5vsknk084sn02q', type: 'user' },
  request_id: 'req-4f1c2a90',
  traceparent: null,
  data: { id: 'usr_01h455vb4pex5vsknk084sn02q', status: 'removed' },
})

describe('a batch consumer', () => {
  it('handles events of one workspace in order, in one transaction, each once', async () => {
    const { bus, consume } = await openShard()
    const [one, two] = [newId('ws'), newId('ws')]
    await consume(recordEffects, { kinds: ['NOTHING'], purpose: 'makes-the-stream' })
    const first = await eventually(() => publish(bus, 30, one).catch(() => false as const))
    const second = await publish(bus, 30, two)
    await publish(bus, 5, one)
    await publishAgain(bus, first.slice(0, 10), one)
    const batches: { workspaces: Set<string>; size: number }[] = []
    const consumer = await consume(
      async (batch, tx, onEnd) => {
        batches.push({
          workspaces: new Set(batch.map(({ event }) => event.workspace_id)),
          size: batch.length,
        })
        await recordEffects(batch, tx, onEnd)
      },
      { maxBatchSize: 20 },
    )
    await eventually(async () => (await consumer.watermark()).sequence === 75)
    const effects = await environment.effects()
    expect(effects.filter((id) => first.includes(id))).toEqual(first)
    expect(effects.filter((id) => second.includes(id))).toEqual(second)
    expect(effects).toHaveLength(65)
    for (const { workspaces, size } of batches) expect([workspaces.size, size <= 20]).toEqual([1, true])
    expect(batches.length).toBeLessThan(30)
    expect(await environment.queryAsAdmin('SELECT FROM platform.inbox')).toHaveLength(65)
  })

  it('retries and dead-letters a failing event without affecting the others of its batch', async () => {
    const { bus, consume } = await openShard()
    const workspace = newId('ws')
    await consume(recordEffects, { kinds: ['NOTHING'], purpose: 'makes-the-stream' })
    const ids = await eventually(() => publish(bus, 12, workspace).catch(() => false as const))
    const poison = ids[5] ?? ''
    let tries = 0
    let isFixed = false
    const consumer = await consume(async (batch, tx, onEnd) => {
      const isPoisoned = batch.some(({ event }) => event.id === poison)
      if (isPoisoned && batch.length === 1) tries += 1
      if (isPoisoned && !isFixed) throw new Error('cannot be handled')
      await recordEffects(batch, tx, onEnd)
    })
    const others = ids.filter((id) => id !== poison)
    expect([...(await settled(11))].sort()).toEqual(others.sort())
    await eventually(async () => (await consumer.watermark()).sequence === 12)
    expect(tries).toBe(5)
    const dead = `SELECT event_id, failures, subject FROM platform.dead_events WHERE died_at IS NOT NULL`
    const subject = `events.${bus.shard}.data.USER_REMOVED.${workspace}`
    expect(await environment.queryAsAdmin(dead)).toEqual([{ event_id: poison, failures: 5, subject }])
    isFixed = true
    await redrive(environment.workerQuery, {})
    expect(await settled(12)).toContain(poison)
  })

  it('retries a batch without counting an attempt when the infrastructure fails', async () => {
    const { bus, consume } = await openShard()
    let isUnavailable = true
    await consume(recordEffects, { kinds: ['NOTHING'], purpose: 'makes-the-stream' })
    const ids = await eventually(() => publish(bus, 5, newId('ws')).catch(() => false as const))
    await consume(async (batch, tx, onEnd) => {
      if (isUnavailable) {
        isUnavailable = false
        throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
      }
      await recordEffects(batch, tx, onEnd)
    })
    expect([...(await settled(5))].sort()).toEqual([...ids].sort())
    expect(await environment.queryAsAdmin('SELECT FROM platform.dead_events')).toEqual([])
  })
})

describe('an unauthorized event', () => {
  it('becomes a dead letter at once and is checked with the same subject when redriven', async () => {
    const { bus, consumeOneByOne } = await openShard()
    const counted: string[] = []
    const metrics: Metrics = { ...noMetrics, count: (name) => void counted.push(name) }
    let isRejecting = true
    const seen: (string | null)[] = []
    const consumer = await consumeOneByOne({
      metrics,
      authorize: (_event: unknown, metadata: { subject: string | null }) => {
        seen.push(metadata.subject)
        return isRejecting && parseSubject(metadata.subject ?? '')?.producer === 'data'
          ? 'not a producer of this kind'
          : undefined
      },
    })
    const workspace = newId('ws')
    const id = newId('evt')
    await emit(environment.database, id, workspace)
    await eventually(async () => (await consumer.watermark()).sequence === 1)
    expect(
      await environment.queryAsAdmin('SELECT event_id, workspace_id, failures, error FROM platform.dead_events'),
    ).toEqual([{ event_id: id, workspace_id: workspace, failures: 1, error: 'refused: not a producer of this kind' }])
    expect(counted).toContain('events_refused_total')
    expect(await environment.queryAsAdmin('SELECT FROM platform.inbox')).toEqual([])
    await redrive(environment.workerQuery, {})
    const subject = `events.${bus.shard}.data.USER_REMOVED.${workspace}`
    await eventually(() => seen.length === 2)
    expect(seen).toEqual([subject, subject])
    await eventually(
      async () => (await environment.queryAsAdmin('SELECT FROM platform.dead_events WHERE died_at IS NOT NULL'))[0],
    )
    isRejecting = false
    await redrive(environment.workerQuery, {})
    expect(await settled(1)).toEqual([id])
  })
})

describe('parseSubject', () => {
  it('returns producer, kind and workspace of an event subject, and undefined for any other', () => {
    const expected = { producer: 'webhook-delivery', kind: 'AUDIT_RECORDED' }
    expect(parseSubject('events.s1.webhook-delivery.AUDIT_RECORDED.ws_1')).toEqual({
      ...expected,
      workspace_id: 'ws_1',
    })
    expect(parseSubject('events.s1.webhook-delivery.AUDIT_RECORDED._')).toEqual({ ...expected, workspace_id: '' })
    for (const other of [
      '',
      'events.s1.data.X',
      'events.s1.data.X.ws_1.more',
      'wake.s1.data.X.ws_1',
      'events.s1.*.X.w',
    ])
      expect(parseSubject(other)).toBeUndefined()
  })
})
