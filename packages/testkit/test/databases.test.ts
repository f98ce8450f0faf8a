import { afterAll, describe, expect, it } from '@jest/globals'
import { Client } from 'pg'
import { createTestDatabase, type TestDatabase, testPostgres } from '../src/index.ts'

const service = 'testkit-a'
const made: TestDatabase[] = []
afterAll(() => Promise.all(made.map((database) => database.drop())))

async function create(): Promise<TestDatabase> {
  const database = await createTestDatabase(service)
  made.push(database)
  return database
}

describe('a test database', () => {
  it('shares only the template with databases that are created concurrently', async () => {
    const [first, second] = await Promise.all([create(), create(), create()])
    await query(first?.ownerUrl, 'create table mine as select 1 as one')
    expect(await query(first?.adminUrl, 'select one from mine')).toEqual([{ one: 1 }])
    await expect(query(second?.ownerUrl, 'select * from mine')).rejects.toThrow('relation "mine" does not exist')
    const named = (like: string) => query(testPostgres(), `select from pg_database where datname like '${like}'`)
    expect(await named(`test_${process.env.WP_TEST_RUN}_testkit_a_%`)).toHaveLength(3)
    expect(await named('tpl_testkit_a_%')).toHaveLength(1)
  })

  it('has the platform tables, and roles with their production privileges', async () => {
    const { url, workerUrl, ownerUrl } = await create()
    const tables = `select count(*)::int from information_schema.tables where table_schema = 'platform' and table_name = 'outbox'`
    expect(await query(ownerUrl, tables)).toEqual([{ count: 1 }])
    expect(await query(workerUrl, 'select count(*)::int from platform.outbox')).toEqual([{ count: 0 }])
    await expect(query(url, 'select count(*) from platform.outbox')).rejects.toThrow('permission denied')
    await expect(query(url, 'create table forbidden (id int)')).rejects.toThrow('permission denied')
  })

  it('accepts the roles of its service only, and does not exist after drop', async () => {
    const other = await createTestDatabase('testkit-b')
    const mine = await create()
    const stranger = new URL(other.url)
    stranger.pathname = `/${mine.name}`
    await expect(query(stranger.href, 'select 1')).rejects.toThrow('permission denied for database')
    await other.drop()
    await expect(query(other.adminUrl, 'select 1')).rejects.toThrow('does not exist')
  })
})

async function query(url: string | undefined, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}
