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

/** Returns the ids of the events in the stream of a cell. */
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

const storedRemotely = () => stored({ url: far.url, shard: 'far' })
const storedLocally = () => stored({ url: testNats().url, shard: bus.shard })

/** Commits an event in a new workspace of a shard. @returns its id */
async function commitEvent(shard: string): Promise<string> {
  const id = newId('evt')
  await environment.database.transact({ ...callerIn(newId('ws')), shard }, async (tx) => {
    tx.emit({ id, kind: 'USER_REMOVED', data: { id: newId('usr'), status: 'removed' } })
  })
  return id
}

const localRows = () =>
  environment.queryAsAdmin(`SELECT id, published_at FROM platform.outbox WHERE shard = '' ORDER BY position`)
const unpublishedRows = () => environment.queryAsAdmin('SELECT id FROM platform.outbox WHERE published_at IS NULL')

describe('an event of a workspace in another cell', () => {
  it('is published in that cell only', async () => {
    const [local, remote] = [await commitEvent('test'), await commitEvent('far')]
    await eventually(async () => (await storedRemotely()).includes(remote) && (await storedLocally()).includes(local))
    expect([await storedLocally(), await storedRemotely()]).toEqual([[local], [remote]])
  })

  it('waits while the broker of its cell is unavailable and does not delay events of other cells', async () => {
    await far.kill('SIGTERM')
    await eventually(() => !cell.isConnected)
    const remote = await commitEvent('far')
    const local = await commitEvent('test')
    await eventually(async () => (await storedLocally()).includes(local))
    await eventually(async () => (await unpublishedRows()).length === 1)
    expect(await unpublishedRows()).toEqual([{ id: remote }])
  })

  it('is published again, and no other event is, when the broker of its cell has lost its storage', async () => {
    const before = await localRows()
    await far.restart({ wipe: true })
    await eventually(async () => (await unpublishedRows()).length === 0)
    const all = await environment.queryAsAdmin(`SELECT id FROM platform.outbox WHERE shard = 'far' ORDER BY position`)
    expect(all).toHaveLength(2)
    expect(await storedRemotely()).toEqual(all.map(({ id }) => id))
    expect(await localRows()).toEqual(before)
  })
})
