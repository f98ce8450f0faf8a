import { afterAll, afterEach, describe, expect, it } from '@jest/globals'
import { newId } from '@wp/database'
import { eventually, testNats } from '@wp/testkit'
import { type ConsumerOptions, createConsumer, createRelay, type EventHandler } from '../src/index.ts'
import { openTestEnvironment, recordEffect } from './fixture/test-environment.ts'

const gates: (() => void)[] = []

const environment = await openTestEnvironment()
afterEach(async () => {
  for (const open of gates.splice(0)) open()
  await environment.clear()
})
afterAll(() => environment.close())

/** Opens a new shard with a relay. `consume` starts a consumer of eight events, so of two of each workspace. */
async function openShard() {
  const { url, shard } = testNats()
  const bus = await environment.bus(url, shard)
  const { database, log, run } = environment
  await run(createRelay({ database, bus, service: 'data', log }))
  const consume = (handle: EventHandler, overrides: Partial<ConsumerOptions<unknown>> = {}) =>
    run(
      createConsumer({
        database,
        bus,
        service: 'webhook-delivery',
        purpose: 'deliveries',
        kinds: ['USER_REMOVED'],
        handle,
        log,
        concurrency: 2,
        maxWaiting: 8,
        retryMs: [5, 5, 5, 5],
        deferredPollMs: 50,
        ...overrides,
      }),
    )
  return { consume }
}

const countDeferred = async (): Promise<number> =>
  (await environment.queryAsAdmin<{ count: number }>('SELECT count(*)::int FROM platform.deferred_events'))[0]?.count ??
  0

/** A handler that waits in the events of one workspace until `open` is called. */
function createGate(workspaceId: string) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const handle: EventHandler = async (event, tx, metadata) => {
    if (event.workspace_id === workspaceId) await promise
    await recordEffect(event, tx, metadata)
  }
  gates.push(resolve)
  return { handle, open: resolve }
}

describe('a consumer whose workspaces take turns', () => {
  it('handles an event of a workspace behind many of another one that make no progress', async () => {
    const { consume } = await openShard()
    const busy = newId('ws')
    const gate = createGate(busy)
    await consume(gate.handle)
    const ofBusy = await environment.commit(40, busy)
    const [quiet = ''] = await environment.commit(1)
    await eventually(async () => (await environment.effects()).includes(quiet))
    expect(await environment.effects()).toEqual([quiet])
    gate.open()
    await eventually(async () => (await environment.effects()).length === 41 && (await countDeferred()) === 0)
    expect((await environment.effects()).toSorted()).toEqual([...ofBusy, quiet].toSorted())
  })

  it('renews the lease of a deferred event as long as it is in progress', async () => {
    const { consume } = await openShard()
    const direct = Promise.withResolvers<void>()
    const deferred = Promise.withResolvers<void>()
    gates.push(direct.resolve, deferred.resolve)
    await consume(async (event, tx, metadata) => {
      await (metadata.isDeferred ? deferred : direct).promise
      await recordEffect(event, tx, metadata)
    })
    await environment.commit(20, newId('ws'))
    await eventually(async () => (await countDeferred()) > 0)
    direct.resolve()
    const leaseEnd = async () =>
      (
        await environment.queryAsAdmin<{ end: Date | null }>(
          'SELECT max(leased_until) AS end FROM platform.deferred_events',
        )
      )[0]?.end ?? new Date(0)
    const started = Date.now()
    await eventually(async () => (await leaseEnd()).getTime() > started)
    const first = await leaseEnd()
    await eventually(async () => (await leaseEnd()) > first)
    deferred.resolve()
    await eventually(async () => (await environment.effects()).length === 20 && (await countDeferred()) === 0)
  })

  it('handles the deferred events of a stopped replica', async () => {
    const { consume } = await openShard()
    const busy = newId('ws')
    const gate = createGate(busy)
    await consume(gate.handle)
    const ofBusy = await environment.commit(20, busy)
    await eventually(async () => (await countDeferred()) > 0)
    const stopped = environment.stopWorkers()
    gate.open()
    await stopped
    const { consume: consumeAgain } = await openShard()
    await consumeAgain(recordEffect)
    await eventually(async () => (await countDeferred()) === 0)
    const effects = await environment.effects()
    expect(new Set(effects).size).toBe(effects.length)
    expect(effects.filter((id) => !ofBusy.includes(id))).toEqual([])
  })

  it('makes a dead letter of a deferred event that keeps failing, and handles the others', async () => {
    const { consume } = await openShard()
    const busy = newId('ws')
    let bad = ''
    const gate = createGate(busy)
    await consume(async (event, tx, metadata) => {
      await gate.handle(event, tx, metadata)
      if (event.id === bad) throw new Error('not possible')
    })
    await environment.commit(20, busy)
    // Any other may be retried by the broker instead.
    await eventually(async () => {
      const [first] = await environment.queryAsAdmin<{ id: string }>(
        'SELECT event_id AS id FROM platform.deferred_events',
      )
      bad = first?.id ?? ''
      return bad !== ''
    })
    gate.open()
    await eventually(async () => (await environment.effects()).length === 19 && (await countDeferred()) === 0)
    const dead = await environment.queryAsAdmin('SELECT event_id FROM platform.dead_events WHERE died_at IS NOT NULL')
    expect(dead).toEqual([{ event_id: bad }])
  })
})
