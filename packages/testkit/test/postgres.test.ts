import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { Client } from 'pg'
import { eventually, findFreePort, type Postgres, startPostgres, testPostgres } from '../src/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'wp-postgres-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the PostgreSQL of the test run', () => {
  it('is version 18 with UTF-8 and UTC, and requires the password', async () => {
    const settings = `select current_setting('server_version_num')::int / 10000 as major,
      current_setting('server_encoding') as encoding, current_setting('TimeZone') as zone, upper('äö') as upper`
    expect(await query(testPostgres(), settings)).toEqual([
      { major: 18, encoding: 'UTF8', zone: expect.stringMatching(/^(Etc\/)?UTC$/), upper: 'ÄÖ' },
    ])
    const wrong = new URL(testPostgres())
    wrong.password = 'guessed'
    await expect(query(wrong.href, 'select 1')).rejects.toThrow(/password authentication failed/)
  })
})

describe('an embedded PostgreSQL', () => {
  let postgres: Postgres
  beforeAll(async () => {
    postgres = await startPostgres()
    await query(postgres.url, 'create table kept (at timestamptz)')
  })
  afterAll(() => postgres.stop())

  it('keeps its port and data after a crash and after a restart', async () => {
    await postgres.kill()
    await expect(query(postgres.url, 'select 1')).rejects.toThrow()
    await postgres.restart()
    expect(await query(postgres.url, 'select count(*)::int from kept')).toEqual([{ count: 0 }])
    await postgres.restart()
    expect(await query(postgres.url, 'select count(*)::int from kept')).toEqual([{ count: 0 }])
  })

  it('restarts after a crash with a busy session', async () => {
    const client = new Client({ connectionString: postgres.url })
    client.on('error', () => {})
    await client.connect()
    const busy = client.query('select pg_sleep(60)').catch((error: Error) => error)
    await eventually(
      async () =>
        (await query(postgres.url, `select 1 from pg_stat_activity where query like 'select pg_sl%'`)).length === 1,
    )
    await postgres.kill()
    await postgres.restart()
    expect(await busy).toBeInstanceOf(Error)
    expect(await query(postgres.url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('fails when its port is in use', async () => {
    const port = await findFreePort()
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve))
    await expect(startPostgres({ port })).rejects.toThrow(`cannot listen on 127.0.0.1:${port}`)
    other.close()
  })
})

describe('a persistent PostgreSQL', () => {
  it('keeps data and password between runs, and locks its folder', async () => {
    const options = { dataDir: join(folder, 'kept'), persistent: true }
    const first = await startPostgres(options)
    await query(first.url, 'create table kept as select 42 as answer')
    await expect(startPostgres(options)).rejects.toThrow(`is in use by process ${process.pid}`)
    await first.stop()
    const second = await startPostgres(options)
    expect(new URL(second.url).password).toBe(new URL(first.url).password)
    expect(await query(second.url, `select answer, current_setting('fsync') as fsync from kept`)).toEqual([
      { answer: 42, fsync: 'on' },
    ])
    await second.stop()
  })
})

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}
