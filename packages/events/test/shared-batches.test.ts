import { afterAll, afterEach, describe, expect, it } from '@jest/globals'
import { newId } from '@wp/database'
import { noMetrics } from '@wp/runtime'
import { eventually, testNats } from '@wp/testkit'
import { insertNewEvents } from '../src/consumer/inbox/inbox-rows.ts'
import {
  type BatchHandler,
  createBatchConsumer,
  createRelay,
  type OnTransactionEnd,
  type ReceivedEvent,
} from '../src/index.ts'
import { openTestEnvironment } from './fixture/test-environment.ts'

const environment = await openTestEnvironment()
afterEach(() => environment.clear())
afterAll(() => environment.close())

type WorkspaceId = ReturnType<typeof newId<'ws'>>

type Handle = (
  batch: readonly ReceivedEvent[],
  tx: Pick<Parameters<BatchHandler>[1], 'query' | 'wake'>,
  onEnd: OnTransactionEnd,
) => Promise<void>

const recordEffects = async (batch: readonly ReceivedEvent[], { query }: Parameters<Handle>[1]) => {
  for (const { event } of batch)
    await query('INSERT INTO effects (workspace_id, event_id) VALUES ($1, $2)', [event.workspace_id, event.id])
}

/**
 * Starts a consumer whose shared batch is occupied by an event of another workspace until the given events wait for it,
 * so that they share one.
 *
 * @returns the ids of the events by workspace, and the workspaces of each shared batch
 */
async function consumeTogether(workspaces: readonly WorkspaceId[], eventsEach: number, handle: Handle) {
  const { url, shard } = testNats()
  const bus = await environment.bus(url, shard)
  const { database, log } = environment
  await environment.run(createRelay({ database, bus, service: 'data', log }))
  const occupying = newId('ws')
  const total = 1 + workspaces.length * eventsEach
  let received = 0
  const countReceived = (name: string) => {
    if (name === 'events_pending') received += 1
  }
  let isOccupied = false
  const shared: Set<string>[] = []
  const consumer = createBatchConsumer({
    database,
    bus,
    service: 'audit',
    purpose: 'log',
    kinds: ['USER_REMOVED'],
    log,
    metrics: { ...noMetrics, gauge: countReceived },
    concurrency: 2,
    maxBatchSize: 100,
    maxWaiting: 64,
    retryMs: [5],
    maxAttempts: 2,
    handle,
    shared: {
      concurrency: 1,
      prepare: async () => async (batch, tx, onEnd) => {
        const batchWorkspaces = new Set(batch.map(({ event }) => event.workspace_id))
        if (batchWorkspaces.has(occupying)) {
          isOccupied = true
          await eventually(() => received === total)
        } else {
          shared.push(batchWorkspaces)
          await handle(batch, tx, onEnd)
        }
        return { unfinished: [], write: async () => {} }
      },
    },
  })
  await environment.run(consumer)
  await environment.commit(1, occupying)
  await eventually(() => isOccupied)
  const ids = new Map<string, string[]>()
  for (const workspaceId of workspaces) ids.set(workspaceId, await environment.commit(eventsEach, workspaceId))
  return { consumer, ids, shared, total }
}

const effectsOf = (workspaceId: string) =>
  environment.queryAsAdmin<{ id: string; transaction: string }>(
    'SELECT event_id AS id, xmin::text AS transaction FROM effects WHERE workspace_id = $1 ORDER BY position',
    [workspaceId],
  )

const idsOf = async (workspaceId: string) => (await effectsOf(workspaceId)).map(({ id }) => id)

describe('events of several workspaces that wait for a turn', () => {
  it('are handled in one transaction, those of each workspace in order, each once', async () => {
    const workspaces = [newId('ws'), newId('ws'), newId('ws')]
    const { consumer, ids, shared, total } = await consumeTogether(workspaces, 3, recordEffects)
    await eventually(async () => (await consumer.watermark()).sequence === total)
    expect(shared).toEqual([new Set(workspaces)])
    const effects: Awaited<ReturnType<typeof effectsOf>> = []
    for (const workspaceId of workspaces) effects.push(...(await effectsOf(workspaceId)))
    expect(effects.map(({ id }) => id)).toEqual(workspaces.flatMap((workspaceId) => ids.get(workspaceId)))
    expect(new Set(effects.map(({ transaction }) => transaction)).size).toBe(1)
    expect(await environment.queryAsAdmin('SELECT FROM platform.inbox')).toHaveLength(total)
  })

  it('are handled separately if that fails, and only the event that fails becomes a dead letter', async () => {
    const [poisoned, healthy] = [newId('ws'), newId('ws')]
    let poison: string | undefined
    const { consumer, ids, shared, total } = await consumeTogether([poisoned, healthy], 3, async (batch, tx) => {
      poison ??= batch.filter(({ event }) => event.workspace_id === poisoned)[1]?.event.id
      await recordEffects(batch, tx)
      if (batch.some(({ event }) => event.id === poison)) throw new Error('cannot be handled')
    })
    await eventually(async () => (await consumer.watermark()).sequence === total)
    expect(shared[0]).toEqual(new Set([poisoned, healthy]))
    expect(environment.log.entries).toContainEqual(expect.objectContaining({ event: 'event_batch.separated' }))
    expect(await idsOf(healthy)).toEqual(ids.get(healthy))
    expect(await idsOf(poisoned)).toEqual(ids.get(poisoned)?.filter((id) => id !== poison))
    expect(await environment.queryAsAdmin('SELECT event_id, failures FROM platform.dead_events')).toEqual([
      { event_id: poison, failures: 2 },
    ])
  })

  it('do not wait for a lock that one of them needs', async () => {
    const [locked, free] = [newId('ws'), newId('ws')]
    await environment.queryAsAdmin(`INSERT INTO effects (workspace_id, event_id) VALUES ($1, 'before')`, [locked])
    const release = await environment.lockEffects(locked)
    const { ids, shared } = await consumeTogether([locked, free], 3, async (batch, tx) => {
      for (const workspaceId of new Set(batch.map(({ event }) => event.workspace_id)))
        await tx.query('SELECT FROM effects WHERE workspace_id = $1 FOR UPDATE', [workspaceId])
      await recordEffects(batch, tx)
    })
    await eventually(async () => (await idsOf(free)).length === 3)
    expect(shared).toEqual([new Set([locked, free])])
    expect(await idsOf(locked)).toEqual(['before'])
    await release()
    await eventually(async () => (await idsOf(locked)).length === 4)
    expect(await idsOf(locked)).toEqual(['before', ...(ids.get(locked) ?? [])])
  })

  it('tell their handlers whether the transaction was committed', async () => {
    const [failing, healthy] = [newId('ws'), newId('ws')]
    const ends: string[] = []
    let isFailing = true
    await consumeTogether([failing, healthy], 1, async (batch, tx, onEnd) => {
      await recordEffects(batch, tx)
      const names = batch.map(({ event }) => (event.workspace_id === failing ? 'failing' : 'healthy'))
      onEnd((isCommitted) => ends.push(`${names.sort().join(' ')} ${isCommitted}`))
      if (!isFailing || !names.includes('failing')) return
      isFailing = names.length > 1
      throw new Error('cannot be handled')
    })
    await eventually(() => ends.length === 4)
    expect(ends[0]).toBe('failing healthy false')
    expect(ends.slice(1).sort()).toEqual(['failing false', 'failing true', 'healthy true'])
  })

  it('write no inbox rows if their transaction has not begun', async () => {
    const metadata = { sequence: 1, redelivered: false, streamCreatedAt: null, subject: null }
    const event = {
      id: newId('evt'),
      kind: 'USER_REMOVED',
      workspace_id: newId('ws'),
      occurred_at: new Date().toISOString(),
      actor: { id: 'svc', type: 'service' as const },
      request_id: 'req_1',
      traceparent: null,
      data: {},
    }
    const tx = { query: environment.workerQuery }
    const insert = () => insertNewEvents(tx, 'audit_log', [{ event, metadata }], { isSentWithBegin: true })
    expect(await insert()).toEqual([])
    expect(await environment.queryAsAdmin('SELECT FROM platform.inbox')).toEqual([])
  })
})
