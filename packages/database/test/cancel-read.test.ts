import { AsyncLocalStorage } from 'node:async_hooks'
import { afterAll, describe, expect, it } from '@jest/globals'
import { noLog } from '@wp/runtime'
import { eventually } from '@wp/testkit'
import { createAccess } from '../src/access.ts'
import { openFairPool } from '../src/connection/fair-pool.ts'
import { createScopedClient } from '../src/connection/scoped-client.ts'
import type { ScopedConnection } from '../src/connection/scoped-connection.ts'
import { createFixtureDatabase } from './fixture/database.ts'

const fixture = await createFixtureDatabase({ poolSize: 3 })
afterAll(() => fixture.drop())

const countSleeping = async () => {
  const [row] = await fixture.queryAsAdmin<{ count: number }>(
    `SELECT count(*)::integer AS count FROM pg_stat_activity
      WHERE datname = current_database() AND state = 'active' AND query LIKE '%pg_sleep(25)%' AND pid <> pg_backend_pid()`,
  )
  return row?.count
}

describe('a read with a signal', () => {
  it('rejects with the reason of the signal, cancels its statement at PostgreSQL and starts no other', async () => {
    const controller = new AbortController()
    const { signal } = controller
    const outcomes: Promise<unknown>[] = []
    const reading = fixture.database.read({ workspaceId: null, signal }, (_db, query) => {
      const sent = [query('SELECT pg_sleep(25)'), query('SELECT 2'), query('SELECT 3')]
      outcomes.push(...sent.map((each) => each.catch((error: unknown) => error)))
      return Promise.all(sent)
    })
    const outcome = reading.catch((error: unknown) => error)
    await eventually(async () => (await countSleeping()) === 1)
    const reason = new Error('the client has disconnected')
    controller.abort(reason)
    expect(await outcome).toBe(reason)
    expect((await Promise.all(outcomes)).slice(1)).toEqual([reason, reason])
    await eventually(async () => (await countSleeping()) === 0)
  })

  it('starts no statement when the signal is aborted already', async () => {
    const reason = new Error('too late')
    const signal = AbortSignal.abort(reason)
    let hasStarted = false
    const reading = fixture.database.read({ workspaceId: null, signal }, async () => {
      hasStarted = true
    })
    await expect(reading).rejects.toBe(reason)
    expect(hasStarted).toBe(false)
  })

  it('starts no statement when the signal is aborted while a connection is opened', async () => {
    const [controller, reason] = [new AbortController(), new Error('too late')]
    const logged: unknown[] = []
    const log = { ...noLog, warn: (...entry: unknown[]) => void logged.push(entry) }
    const pool = openFairPool({ url: fixture.url, size: 1, name: 'aborted', readOnly: true, log, maxWaitMs: 5_000 })
    const { read } = createAccess({
      pool: {
        ...pool,
        async acquire(key, signal) {
          const slot = await pool.acquire(key, signal)
          return {
            ...slot,
            checkOut(open) {
              controller.abort(reason)
              return slot.checkOut(open)
            },
          }
        },
      },
      worker: fixture.database.worker,
      connections: new AsyncLocalStorage<ScopedConnection>(),
      db: createScopedClient(fixture.prisma),
      notifyWake() {},
      shard: 's1',
      log,
    })
    const reading = read({ workspaceId: null, signal: controller.signal }, (_db, query) => query('SELECT 1'))
    await expect(reading).rejects.toBe(reason)
    expect([pool.usage().inUse, logged]).toEqual([0, []])
    await pool.close()
  })

  it('leaves later reads alone', async () => {
    const controller = new AbortController()
    const one = () =>
      fixture.database.read({ workspaceId: null, signal: controller.signal }, (_db, query) => query('SELECT 1 AS one'))
    expect(await one()).toEqual([{ one: 1 }])
    controller.abort(new Error('over'))
    const others = Array.from({ length: 5 }, () =>
      fixture.database.read({ workspaceId: null }, (_db, query) => query('SELECT 1 AS one')),
    )
    expect(await Promise.all(others)).toEqual(Array.from({ length: 5 }, () => [{ one: 1 }]))
  })
})
