import { setTimeout as pass } from 'node:timers/promises'
import { newId } from '@wp/database'
import { eventually, startTestFleet, type TestFleet, type TestResponse } from '@wp/testkit'
import { Client } from 'pg'
import { report } from './report.ts'
import { createSyncFeed } from './sync/feed.ts'
import { sampleMemory } from './sync/memory-sampler.ts'
import { startServers } from './test-servers.ts'

const batch = 1000
/** Sources that are synced at once. */
const concurrentSources = 8

/**
 * A CSV of a million rows through the edge into a source: sent, sent again (nothing new), gone through by a sync. Beside
 * it what PostgreSQL itself does: the same rows by bare INSERTs of a thousand into the same table, by one connection
 * that parses, compares and counts nothing. Then a table of another database with as many rows, read by a source: all
 * new, and once more as a whole; and by eight sources at once, each an eighth. The memory is the data service's.
 *
 * Options: rows (default 1,000,000); csv, postgres or eight: this alone.
 */
export async function run(options: string[]): Promise<void> {
  const rows = Number(options.find((option) => /^\d+$/.test(option)) ?? 1_000_000)
  const chosen = options.filter((option) => !/^\d+$/.test(option))
  const isWanted = (what: string) => chosen.length === 0 || chosen.includes(what)
  const servers = await startServers()
  const fleet = await startTestFleet({
    mode: 'processes',
    services: ['auth', 'data', 'integrations'],
    env: { data: { SYNC_CONCURRENCY: `${concurrentSources}` } },
  })
  try {
    const memory = sampleMemory(fleet.member('data').pid)
    const result: Record<string, string | number>[] = []
    const measure = async (what: string, work: () => Promise<unknown>) => {
      const began = performance.now()
      await work()
      const seconds = (performance.now() - began) / 1000
      result.push({ what, rows, 'rows/s': Math.round(rows / seconds), seconds, ...memory.take() })
    }
    await measure('bare INSERTs into the table', () => insertBare(fleet, rows))
    if (isWanted('csv')) {
      const path = await createSource(fleet)
      await measure('upload, all new', () => upload(fleet, path, rows, { created: rows }))
      await measure('upload, nothing new', () => upload(fleet, path, rows, { created: 0, updated: 0 }))
      await request(fleet, 'PATCH', path, { config: { title_field: 'room' } })
      await measure('sync, every title new', () => sync(fleet, path, { seen: rows, updated: rows }))
    }
    const feed = isWanted('postgres') || isWanted('eight') ? await createSyncFeed(fleet, rows) : undefined
    if (feed !== undefined && isWanted('postgres')) {
      const path = await feed.source()
      await measure('postgres source, all new', () => sync(fleet, path, { seen: rows, created: rows }))
      const again = { seen: rows, created: 0, updated: 0, deleted: 0 }
      await measure('postgres source, full, nothing new', () => sync(fleet, path, again, 'full'))
    }
    const before = await deadlocks(fleet)
    if (feed !== undefined && isWanted('eight')) {
      const paths = await Promise.all(
        Array.from({ length: concurrentSources }, (_, share) => feed.source(share, concurrentSources)),
      )
      await measure(`${concurrentSources} postgres sources at once`, async () => {
        const counts = await Promise.all(paths.map((path) => sync(fleet, path, { failed: 0 })))
        const created = counts.reduce((sum, count) => sum + (count.created ?? 0), 0)
        if (created !== rows) throw new Error(`created should be ${rows}: ${created}`)
      })
    }
    const perSecond = (what: string) => Number(result.find((row) => row.what === what)?.['rows/s'])
    const ofBare = (what: string, name: string) => {
      const ratio = perSecond(what) / perSecond('bare INSERTs into the table')
      return Number.isNaN(ratio) ? {} : { [name]: ratio }
    }
    report('sync', result, {
      rows,
      ...ofBare('upload, all new', 'upload of bare INSERTs'),
      ...ofBare('postgres source, all new', 'postgres source of bare INSERTs'),
      deadlocks: (await deadlocks(fleet)) - before,
    })
    memory.stop()
    await feed?.drop()
  } finally {
    await fleet.stop()
    await servers.stop()
  }
}

const cellsOf = (index: number) => ({
  ts: new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString(),
  room: `room ${index % 500}`,
  people: String(index % 97),
  note: `some, "quoted" text ${index}`,
  id: String(index),
})

function* csvOf(rows: number): Generator<Uint8Array> {
  const encoder = new TextEncoder()
  let text = 'ts,room,people,note,id\n'
  for (let index = 0; index < rows; index++) {
    const { ts, room, people, note, id } = cellsOf(index)
    text += `${ts},${room},${people},"${note.replaceAll('"', '""')}",${id}\n`
    if (text.length < 65_536 && index + 1 < rows) continue
    yield encoder.encode(text)
    text = ''
  }
}

const request = (fleet: TestFleet, method: string, path: string, body?: unknown): Promise<TestResponse> =>
  fleet.request(method, path, { as: fleet.owner.apiKey, body })

async function createSource(fleet: TestFleet): Promise<string> {
  const body = { name: 'bench', provider: 'upload', config: { key: 'id' } }
  return `/v1/data/sources/${(await request(fleet, 'POST', '/v1/data/sources', body)).body.data.data_source_id}`
}

async function upload(fleet: TestFleet, path: string, rows: number, counts: object): Promise<void> {
  const answer = await fleet.request('POST', `${path}/records`, {
    as: fleet.owner.apiKey,
    rawBody: ReadableStream.from(csvOf(rows)),
    headers: { 'content-type': 'text/csv' },
  })
  await expectCounts(answer, { seen: rows, failed: 0, ...counts })
}

async function sync(
  fleet: TestFleet,
  path: string,
  counts: object,
  mode?: 'full' | 'incremental',
): Promise<Record<string, number>> {
  const { id } = (await request(fleet, 'POST', `${path}/sync/start`, { mode })).body.data
  const ended = await eventually(
    async () => {
      const answer = await request(fleet, 'GET', `/v1/data/syncs/${id}`)
      return answer.body.data.finished_at !== null && answer
    },
    { timeoutMs: 600_000, intervalMs: 250 },
  )
  await expectCounts(ended, counts)
  return ended.body.data.counts
}

/** Transactions of the data service that waited for each other, as PostgreSQL counts them. */
async function deadlocks(fleet: TestFleet): Promise<number> {
  // Sessions tell what they counted about once a second.
  await pass(2_000)
  const client = new Client({ connectionString: fleet.databases.get('data')?.adminUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ deadlocks: string }>(
      `SELECT pg_stat_clear_snapshot(), deadlocks::text FROM pg_stat_database WHERE datname = current_database()`,
    )
    return Number(rows[0]?.deadlocks)
  } finally {
    await client.end()
  }
}

/** A figure for work that was not done is none. */
async function expectCounts({ status, body }: TestResponse, expected: object): Promise<void> {
  for (const [name, count] of Object.entries(expected))
    if (body.data?.counts[name] !== count)
      throw new Error(`${name} should be ${count}: ${status} ${JSON.stringify(body)}`)
}

async function insertBare(fleet: TestFleet, rows: number): Promise<void> {
  const client = new Client({ connectionString: fleet.databases.get('data')?.adminUrl })
  await client.connect()
  try {
    for (let from = 0; from < rows; from += batch) {
      const some = Array.from({ length: Math.min(batch, rows - from) }, (_, index) => cellsOf(from + index))
      await client.query(
        `INSERT INTO data_records (workspace_id, data_source_id, record_id, key, data)
         SELECT 'ws_bare', 'src_bare', * FROM unnest($1::text[], $2::text[], $3::jsonb[])`,
        [some.map(() => newId('rec')), some.map(({ id }) => id), some.map((cells) => JSON.stringify(cells))],
      )
    }
  } finally {
    await client.end()
  }
}
