import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { newId } from '@wp/database'
import { eventually } from '@wp/testkit'
import { Client } from 'pg'
import { withClient } from '../support/database.ts'
import { createSubscriber, type FeedSubscriber, readStoredRows } from '../support/feed-subscriber.ts'
import { startDataService } from '../support/service.ts'

// The writers of these tests do not lock the source: the triggers alone must keep a feed exact.

const service = await startDataService()
afterAll(() => service.stop())

const fields = ['v']
let source: string
let subscriber: FeedSubscriber
const clients: Client[] = []
beforeEach(async () => {
  source = await service.createSource({ config: { key: 'id' } })
  subscriber = createSubscriber(service.request, source, fields)
  await subscriber.open()
})
afterEach(() => Promise.all(clients.splice(0).map((client) => client.end())))

async function connect(): Promise<Client> {
  const client = new Client({ connectionString: service.env.DATABASE_WORKER_URL })
  clients.push(client)
  await client.connect()
  return client
}

const insert = (client: Client, key: string, v: number) =>
  client.query(
    `INSERT INTO data_records (record_id, workspace_id, data_source_id, key, data)
     VALUES ($1, $2, $3, $4, jsonb_build_object('v', $5::integer))`,
    [newId('rec'), service.caller.workspaceId, source, key, v],
  )
const update = (client: Client, key: string, v: number) =>
  client.query(
    `UPDATE data_records SET data = jsonb_build_object('v', $3::integer) WHERE data_source_id = $1 AND key = $2`,
    [source, key, v],
  )
const remove = (client: Client, key: string) =>
  client.query('DELETE FROM data_records WHERE data_source_id = $1 AND key = $2', [source, key])

const expectExactRows = async () => {
  await subscriber.pullAll()
  expect(subscriber.rows()).toEqual(await readStoredRows(service.env, source, fields))
}

/** Waits until the reader waits for a lock. Its role alone sees what it does. @returns its process */
const waitForReader = (statement: string) =>
  eventually(
    () =>
      withClient(service.env.DATABASE_URL, async (client) => {
        const { rows } = await client.query<{ pid: number }>(
          `SELECT pid FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE $1`,
          [`%${statement}%`],
        )
        return rows[0] ?? false
      }),
    { description: `the wait of ${statement}` },
  )

describe('a reader of a feed', () => {
  it('gets a record of a transaction that began before others and writes after their records are read', async () => {
    const [late, early] = [await connect(), await connect()]
    await late.query('BEGIN; SELECT now()')
    await insert(early, 'a', 1)
    await subscriber.pullAll()
    await insert(late, 'b', 2)
    await late.query('COMMIT')
    expect((await subscriber.pull()).body.rows).toEqual([{ previous: null, current: [2] }])
    await expectExactRows()
  })

  it.each([
    ['an insertion', (client: Client) => insert(client, 'b', 2), [{ previous: null, current: [2] }]],
    ['an update', (client: Client) => update(client, 'a', 3), [{ previous: [1], current: [3] }]],
    ['a deletion', (client: Client) => remove(client, 'a'), [{ previous: [1], current: null }]],
  ])('waits for the commit of %s', async (_name, write, rows) => {
    const [writer, other] = [await connect(), await connect()]
    await writer.query('BEGIN; SELECT now()')
    await insert(other, 'a', 1)
    await subscriber.pullAll()
    await write(writer)
    const pulled = subscriber.pull()
    await waitForReader('FROM row_feeds%FOR UPDATE')
    await writer.query('COMMIT')
    expect((await pulled).body.rows).toEqual(rows)
    await expectExactRows()
  })

  it('gets nothing of a transaction that is rolled back', async () => {
    const writer = await connect()
    await insert(writer, 'a', 1)
    await subscriber.pullAll()
    await writer.query('BEGIN')
    await update(writer, 'a', 2)
    await writer.query('ROLLBACK')
    expect((await subscriber.pull()).body.rows).toEqual([])
  })

  it('has exactly the rows of the source after many writers with overlapping transactions', async () => {
    const writers = await Promise.all(Array.from({ length: 4 }, connect))
    let running = writers.length
    const writing = writers.map(async (client, nth) => {
      // A generator of small numbers with a seed, so that a failure repeats.
      let state = nth + 1
      const next = (below: number) => {
        state = (state * 16_807) % 2_147_483_647
        return state % below
      }
      const stored = new Set<string>()
      for (let round = 0; round < 20; round++) {
        await client.query('BEGIN')
        for (let statements = next(4); statements >= 0; statements--) {
          const key = `${nth}-${next(12)}`
          if (!stored.has(key)) await insert(client, key, next(5))
          else if (next(3) > 0) await update(client, key, next(5))
          else {
            await remove(client, key)
            stored.delete(key)
            continue
          }
          stored.add(key)
        }
        await client.query('COMMIT')
      }
      running--
    })
    let reads = 0
    for (; running > 0; reads++) await subscriber.pull({ limit: 3, isLost: reads % 3 === 0 })
    await Promise.all(writing)
    await expectExactRows()
    expect(reads).toBeGreaterThan(1)
  })

  it('loses no change when its connection is killed', async () => {
    const writer = await connect()
    await insert(writer, 'a', 1)
    await subscriber.pullAll()
    await update(writer, 'a', 2)
    await writer.query('BEGIN; LOCK TABLE data_records IN ACCESS EXCLUSIVE MODE')
    const pulled = subscriber.pull()
    const { pid } = await waitForReader('DELETE FROM row_changes')
    await withClient(service.env.DATABASE_URL, (client) => client.query('SELECT pg_terminate_backend($1)', [pid]))
    expect((await pulled).status).toBe(503)
    await writer.query('COMMIT')
    expect((await subscriber.pull()).body.rows).toEqual([{ previous: [1], current: [2] }])
  })
})
