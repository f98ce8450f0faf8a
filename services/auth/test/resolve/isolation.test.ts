import { afterAll, expect, it } from '@jest/globals'
import { eventually } from '@wp/testkit'
import { presentApiKey, startTestAuth } from '../fixture/auth.ts'

const auth = await startTestAuth()
afterAll(() => auth.stop())

/** More than all connections of the service. */
const floodSize = 50

/** Runs `work` while token requests that cannot finish hold every connection they can get. */
async function besideTokenFlood(work: () => Promise<void>): Promise<number[]> {
  const client = await auth.context.database.worker.connect()
  try {
    await client.query('BEGIN; LOCK TABLE counters IN ACCESS EXCLUSIVE MODE')
    const flood = Array.from({ length: floodSize }, (_, index) =>
      auth.token({ client_id: `unknown-${index}`, client_secret: 'wrong' }),
    )
    const isBlocking = async () => {
      const [found] = await auth.rows<{ count: number }>(
        `SELECT count(*)::int AS count FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
         WHERE NOT l.granted AND c.relname = 'counters'`,
      )
      return (found?.count ?? 0) >= 2
    }
    await eventually(isBlocking, { description: 'token requests to hold connections' })
    await work()
    await client.query('COMMIT')
    return (await Promise.all(flood)).map(({ status }) => status)
  } finally {
    client.release(true)
  }
}

it('resolves credentials and serves signed-in users while token requests hold all their connections', async () => {
  const { body } = await auth.request('POST', '/v1/auth/api-key')
  const presented = presentApiKey(body.data.api_key)
  const statuses = await besideTokenFlood(async () => {
    expect(await auth.resolve(presented)).toMatchObject({ status: 'active' })
    const me = await auth.request('GET', '/v1/auth/me', { caller: auth.owner })
    expect(me.body.data).toMatchObject({ user_id: auth.seeded.owner_user_id })
  })
  expect(new Set(statuses)).toEqual(new Set([401]))
})
