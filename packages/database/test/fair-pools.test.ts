import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { eventually } from '@wp/testkit'
import type { Pool } from 'pg'
import { type Database, newId } from '../src/index.ts'
import { caller, createFixtureDatabase, type Fixture } from './fixture/database.ts'

const poolSize = 3
/** Long enough for every connection of a test to be opened. */
const maxWaitMs = 2_000

let fixture: Fixture
let slowReads: ReturnType<typeof createSlowReads>
beforeAll(async () => {
  fixture = await createFixtureDatabase({ poolSize, maxWaitMs })
  slowReads = createSlowReads()
})
afterEach(() => slowReads.finishAll())
afterAll(() => fixture.drop())

/** Reads that hold their connection until they are finished. */
function createSlowReads() {
  let begun: string[] = []
  let isOver = false
  const running: (() => void)[] = []
  const reads = new Set<Promise<void>>()
  return {
    /** The workspaces in the order in which they got connections. */
    begun: () => begun,
    /** Resolves when the read has its connection. */
    start(database: Database, workspaceId: string): Promise<void> {
      const { promise: isOpen, resolve: open } = Promise.withResolvers<void>()
      const reading = database.read({ workspaceId }, async (_db, query) => {
        await query('SELECT 1')
        begun.push(workspaceId)
        open()
        if (!isOver) await new Promise<void>((resolve) => running.push(resolve))
      })
      reads.add(reading)
      return Promise.race([isOpen, reading])
    },
    finishOldest: () => running.shift()?.(),
    async finishAll() {
      isOver = true
      for (const finish of running.splice(0)) finish()
      await Promise.allSettled(reads)
      reads.clear()
      begun = []
      isOver = false
    },
  }
}

const readOne = (database: Database, workspaceId: string) =>
  database.read({ workspaceId }, async (_db, query) => (await query<{ one: number }>('SELECT 1 AS one'))[0]?.one)

describe('a request of one workspace beside 500 slow requests of another', () => {
  it('gets a connection at once', async () => {
    const [hostile, quiet] = [newId('ws'), newId('ws')]
    const attack = Array.from({ length: 500 }, () => slowReads.start(fixture.database, hostile))
    void Promise.allSettled(attack)
    expect(await readOne(fixture.database, quiet)).toBe(1)
    await fixture.database.transact(caller({ workspaceId: quiet }), ({ query }) => query('SELECT 1'))
    await fixture.database.ping()
    expect(slowReads.begun().length).toBeLessThan(poolSize)
  })

  it('waits for one turn at most when all connections are in use', async () => {
    const [hostile, other, quiet] = [newId('ws'), newId('ws'), newId('ws')]
    await Promise.all(Array.from({ length: poolSize - 1 }, () => slowReads.start(fixture.database, hostile)))
    await slowReads.start(fixture.database, other)
    const attack = Array.from({ length: 500 }, () => slowReads.start(fixture.database, hostile))
    void Promise.allSettled(attack)
    const isServed = slowReads.start(fixture.database, quiet)
    slowReads.finishOldest()
    await eventually(() => slowReads.begun().length === poolSize + 1)
    slowReads.finishOldest()
    await isServed
    expect(slowReads.begun().slice(poolSize)).toEqual([hostile, quiet])
  })

  it('is not counted against other users when neither has a workspace', async () => {
    const nowhere = { workspaceId: null, principal: { id: newId('usr') } }
    const { promise: isFinished, resolve: finish } = Promise.withResolvers<void>()
    const attack = Array.from({ length: 50 }, () =>
      fixture.database.read(nowhere, async (_db, query) => {
        await query('SELECT 1')
        await isFinished
      }),
    )
    const count = await fixture.database.read({ ...nowhere, principal: { id: newId('usr') } }, (db) => db.plan.count())
    expect(count).toBe(0)
    finish()
    await Promise.all(attack)
  })
})

describe('a request that gets no connection in time', () => {
  it('fails with service_unavailable and a time to retry, and later requests succeed', async () => {
    const [one, two] = [newId('ws'), newId('ws')]
    const impatient = await createFixtureDatabase({ poolSize: 1, maxWaitMs: 20 })
    try {
      await readOne(impatient.database, one)
      await slowReads.start(impatient.database, one)
      const scope = { workspaceId: two }
      const { database } = impatient
      for (const use of [
        () => readOne(database, two),
        () => database.read(scope, (db) => db.plan.count()),
        () => database.transact(caller(scope), ({ db }) => db.plan.count()),
        () => database.read(scope, (_db, query) => query('SELECT 1').catch(() => [])),
        () => database.transact(caller(scope), ({ query }) => query('SELECT 1').catch(() => [])),
      ])
        expect(await use().catch((error: unknown) => error)).toMatchObject({
          code: 'service_unavailable',
          headers: { 'retry-after': '1' },
        })
      await slowReads.finishAll()
      expect(await readOne(impatient.database, two)).toBe(1)
    } finally {
      await slowReads.finishAll()
      await impatient.drop()
    }
  })
})

describe('the pools of a database', () => {
  it('serve requests while background work and workers hold all their connections', async () => {
    const { database } = fixture
    await Promise.all([1, 2].map(() => slowReads.start(database.background, newId('ws'))))
    const workers = await Promise.all([database.worker.connect(), database.worker.connect()])
    expect(await readOne(database, newId('ws'))).toBe(1)
    expect(await database.extraPools.resolve.query('SELECT 1 AS one')).toMatchObject({ rows: [{ one: 1 }] })
    for (const client of workers) client.release()
  })

  it('serve background work, workers and extra pools while requests hold all their connections', async () => {
    const { database } = fixture
    await Promise.all(Array.from({ length: poolSize }, () => slowReads.start(database, newId('ws'))))
    expect(await readOne(database.background, newId('ws'))).toBe(1)
    await database.background.transact(caller(), ({ query }) => query('SELECT 1'))
    await database.background.ping()
    expect(await database.extraPools.resolve.query('SELECT 1 AS one')).toMatchObject({ rows: [{ one: 1 }] })
  })

  it('have sessions for lookups by index where the service names the pool', async () => {
    const { database } = fixture
    const show = async (pool: Pool) => (await pool.query('SHOW plan_cache_mode')).rows[0]
    expect(await show(database.extraPools.resolve)).toEqual({ planCacheMode: 'force_generic_plan' })
    expect(await show(database.worker)).toEqual({ planCacheMode: 'auto' })
  })

  it('share wake-ups, and background work cannot nest either', async () => {
    const { database } = fixture
    const heard: string[] = []
    const stop = database.onWake((queue) => heard.push(queue))
    await database.background.transact(caller(), async (tx) => tx.wake('forecast'))
    stop()
    expect(heard).toEqual(['forecast'])
    const nested = database.read({ workspaceId: null }, () => readOne(database.background, newId('ws')))
    await expect(nested).rejects.toThrow('read() inside a read() or transact()')
  })
})
