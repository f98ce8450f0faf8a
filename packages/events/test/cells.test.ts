import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { newId } from '@wp/database'
import type { Worker } from '@wp/runtime'
import { eventually, type Nats, startNats, testNats } from '@wp/testkit'
import { type Bus, createRelay, streamName } from '../src/index.ts'
import { callerIn, openTestEnvironment, type TestEnvironment } from './fixture/test-environment.ts'

let environment: TestEnvironment
let far: Nats
let bus: Bus
let cell: Bus
let relay: Worker
beforeAll(async () => {
  ;[environment, far] = await Promise.all([openTestEnvironment(), startNats()])
  bus = await environment.bus(testNats().url, testNats().shard)
  cell = await environment.bus(far.url, 'far')
  relay = createRelay({
    database: environment.database,
    bus,
    cells: [cell],
    service: 'auth',
    log: environment.log,
    pollMs: 200,
  })
  await relay.start()
})
afterAll(async () => {
  await relay?.stop()
  await environment?.close()
  await far?.stop()
})

/** Ids of the events in the stream of a cell. */
async function stored({ url, shard }: { url: string; shard: string }): Promise<string[]> {
  const connection = await connect({ servers: url })
  try {
    const { streams } = await jetstreamManager(connection)
    const { state } = await streams.info(streamName(shard))
    const ids = Array.from({ length: state.last_seq }, async (_, index) => {
      const message = await streams.getMessage(streamName(shard), { seq: index + 1 })
      return message?.json<{ id: string }>().id ?? ''
    })
    return await Promise.all(ids)
  } finally {
    await connection.close()
  }
}

const there = () => stored({ url: far.url, shard: 'far' })
const here = () => stored({ url: testNats().url, shard: bus.shard })

/** Something that happens in a workspace of a shard. */
async function happen(shard: string): Promise<string> {
  const id = newId('evt')
  await environment.database.transact({ ...callerIn(newId('ws')), shard }, async (tx) => {
    tx.emit({ id, kind: 'USER_REMOVED', data: { id: newId('usr'), status: 'removed' } })
  })
  return id
}

const atHome = () =>
  environment.queryAsAdmin(`SELECT id, published_at FROM platform.outbox WHERE shard = '' ORDER BY position`)
const waiting = () => environment.queryAsAdmin('SELECT id FROM platform.outbox WHERE published_at IS NULL')

describe('what happened in a workspace of another cell', () => {
  it('is told there alone; what happened in one of ours here alone', async () => {
    const [ours, theirs] = [await happen('test'), await happen('far')]
    await eventually(async () => (await there()).includes(theirs) && (await here()).includes(ours))
    expect([await here(), await there()]).toEqual([[ours], [theirs]])
  })

  it('waits while the broker there is away, and holds up nobody', async () => {
    await far.kill('SIGTERM')
    await eventually(() => !cell.isConnected)
    const theirs = await happen('far')
    const ours = await happen('test')
    await eventually(async () => (await here()).includes(ours))
    await eventually(async () => (await waiting()).length === 1)
    expect(await waiting()).toEqual([{ id: theirs }])
  })

  it('is told again, and nothing else is, when the broker there has lost what it stored', async () => {
    const before = await atHome()
    await far.restart({ wipe: true })
    await eventually(async () => (await waiting()).length === 0)
    const all = await environment.queryAsAdmin(`SELECT id FROM platform.outbox WHERE shard = 'far' ORDER BY position`)
    expect(all).toHaveLength(2)
    expect(await there()).toEqual(all.map(({ id }) => id))
    expect(await atHome()).toEqual(before)
  })
})
