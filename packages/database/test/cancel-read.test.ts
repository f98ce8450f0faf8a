import { afterAll, describe, expect, it } from '@jest/globals'
import { eventually } from '@wp/testkit'
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
  it('rejects with the reason of the signal and cancels its statement at PostgreSQL', async () => {
    const controller = new AbortController()
    const { signal } = controller
    const reading = fixture.database.read({ workspaceId: null, signal }, (_db, query) => query('SELECT pg_sleep(25)'))
    const outcome = reading.catch((error: unknown) => error)
    await eventually(async () => (await countSleeping()) === 1)
    const reason = new Error('the client has disconnected')
    controller.abort(reason)
    expect(await outcome).toBe(reason)
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
