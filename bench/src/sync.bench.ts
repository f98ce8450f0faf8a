import { readFileSync } from 'node:fs'
import { newId } from '@wp/database'
import { eventually, startTestFleet, type TestAnswer, type TestFleet } from '@wp/testkit'
import { Client } from 'pg'
import { report } from './report.ts'
import { startServers } from './servers.ts'

const batch = 1000

/**
 * A CSV of a million rows through the edge into a source: sent, sent again (nothing new), gone through by a sync. Beside
 * it what PostgreSQL itself does: the same rows by bare INSERTs of a thousand into the same table, by one connection
 * that parses, compares and counts nothing. The memory is the data service's.
 *
 * Options: rows (default 1,000,000).
 */
export async function run(options: string[]): Promise<void> {
  const rows = Number(options.find((option) => /^\d+$/.test(option)) ?? 1_000_000)
  const servers = await startServers()
  const fleet = await startTestFleet({ mode: 'processes', services: ['auth', 'data'] })
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
    const path = await createSource(fleet)
    await measure('upload, all new', () => upload(fleet, path, rows, { created: rows }))
    await measure('upload, nothing new', () => upload(fleet, path, rows, { created: 0, updated: 0 }))
    await request(fleet, 'PATCH', path, { config: { title_field: 'room' } })
    await measure('sync, every title new', () => sync(fleet, path, { seen: rows, updated: rows }))
    const perSecond = (what: string) => Number(result.find((row) => row.what === what)?.['rows/s'])
    report('sync', result, {
      rows,
      'upload of bare INSERTs': perSecond('upload, all new') / perSecond('bare INSERTs into the table'),
    })
    memory.stop()
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

const request = (fleet: TestFleet, method: string, path: string, body?: unknown): Promise<TestAnswer> =>
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

async function sync(fleet: TestFleet, path: string, counts: object): Promise<void> {
  const { id } = (await request(fleet, 'POST', `${path}/sync/start`)).body.data
  const ended = await eventually(
    async () => {
      const answer = await request(fleet, 'GET', `/v1/data/syncs/${id}`)
      return answer.body.data.finished_at !== null && answer
    },
    { timeoutMs: 600_000, everyMs: 250 },
  )
  await expectCounts(ended, counts)
}

/** A figure for work that was not done is none. */
async function expectCounts({ status, body }: TestAnswer, expected: object): Promise<void> {
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

/** Largest and last resident size of a process since it was last asked, in MiB; empty where there is no /proc. */
function sampleMemory(pid: number | undefined) {
  let [peak, last] = [0, 0]
  const timer = setInterval(() => {
    try {
      last = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
      peak = Math.max(peak, last)
    } catch {
      // the process is gone, or there is no /proc
    }
  }, 100)
  return {
    take() {
      const taken = { 'peak MiB': Math.round(peak), 'last MiB': Math.round(last) }
      peak = 0
      return taken
    },
    stop: () => clearInterval(timer),
  }
}
