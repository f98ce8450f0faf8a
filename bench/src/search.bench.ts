import { eventually, startTestFleet, type TestFleet } from '@wp/testkit'
import { Client } from 'pg'
import { createApiKeys } from './edge/create-credentials.ts'
import { runClosedLoop } from './load.ts'
import { report } from './report.ts'
import { type Collection, readCollection } from './search/collection.ts'
import { measureRankingQuality } from './search/ranking-quality.ts'
import { rankByReferenceBm25 } from './search/reference-bm25.ts'
import { createRandom, generateRecords, queryKinds } from './search/synthetic-corpus.ts'
import { startServers } from './test-servers.ts'

const neighbours = 100
const neighbourRecords = 1_000

/**
 * Search: how fast records are indexed while they are uploaded, and how fast they are found, through the edge, with a
 * hundred other workspaces beside; with `--collection FILE` instead how well, next to BM25 by the book over the same
 * documents (collection.ts says what the file holds).
 *
 * Options: records (default 100,000); seconds for each kind of query (default 5): `search 20000 2`.
 */
export async function run(options: string[]): Promise<void> {
  const at = options.indexOf('--collection')
  const file = at < 0 ? undefined : options[at + 1]
  const [records = 100_000, seconds = 5] = options.filter((option) => /^\d+$/.test(option)).map(Number)
  const servers = await startServers()
  const fleet = await startTestFleet({ mode: 'processes', services: ['auth', 'data'] })
  try {
    const [key = ''] = await createApiKeys(fleet, 1)
    if (file === undefined) await measureSpeed(fleet, key, records, seconds)
    else await measureQuality(fleet, readCollection(file))
  } finally {
    await fleet.stop()
    await servers.stop()
  }
}

async function measureSpeed(fleet: TestFleet, key: string, records: number, seconds: number): Promise<void> {
  for (let index = 0; index < neighbours; index++) {
    const { apiKey } = await fleet.seed(`neighbour-${index}`)
    await upload(fleet, apiKey, generateRecords(neighbourRecords, index + 2))
  }
  const began = performance.now()
  await upload(fleet, fleet.owner.apiKey, generateRecords(records, 1))
  const indexed = (performance.now() - began) / 1000
  const rows = []
  const { hostname, port } = new URL(fleet.baseUrl)
  for (const connections of [1, 8])
    for (const [kind, make] of Object.entries(queryKinds)) {
      const random = createRandom(7)
      const requests = Array.from({ length: 500 }, () => {
        const path = `/v1/data/search?${new URLSearchParams({ q: make(random), limit: '10' })}`
        return Buffer.from(`GET ${path} HTTP/1.1\r\nhost: ${hostname}\r\n${key}\r\n\r\n`)
      })
      const {
        p50,
        p95,
        p99,
        perSecond,
        failures,
        requests: count,
      } = await runClosedLoop({
        port: Number(port),
        requests,
        connections,
        seconds,
      })
      rows.push({
        'what is asked': kind,
        clients: connections,
        'p50 ms': p50,
        'p95 ms': p95,
        'p99 ms': p99,
        'per s': Math.round(perSecond),
        count,
        failures,
      })
    }
  report('search', rows, { records, neighbours, neighbourRecords, 'indexed rows/s': Math.round(records / indexed) })
}

async function measureQuality(fleet: TestFleet, collection: Collection): Promise<void> {
  await upload(fleet, fleet.owner.apiKey, rowsOf(collection))
  const ranked: string[][] = []
  for (const { text } of collection.questions) {
    const body = { query: text.slice(0, 2000), limit: 100 }
    const answer = await fleet.request('POST', '/v1/data/search', { as: fleet.owner.apiKey, body })
    if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
    ranked.push(answer.body.data.map(({ url }: { url: string }) => decodeURIComponent(url.slice(address.length))))
  }
  const client = new Client({ connectionString: fleet.databases.get('data')?.adminUrl })
  await client.connect()
  const byTheBook = await rankByReferenceBm25(client, collection)
  await client.end()
  const rows = Object.entries({ 'BM25 by the book': byTheBook, search: ranked }).map(([what, lists]) => ({
    what,
    ...measureRankingQuality(collection.questions.map(({ relevant }, at) => ({ relevant, ranked: lists[at] ?? [] }))),
  }))
  report('search-quality', rows, { documents: collection.documents.length, questions: collection.questions.length })
}

/** Hits show the address of a record, so the document's id is put there. */
const address = 'https://collection.example/'

function* rowsOf({ documents }: Collection): Generator<Uint8Array> {
  for (const { id, title, text } of documents) {
    const url = address + encodeURIComponent(id)
    yield Buffer.from(`${JSON.stringify({ id, title, text, url })}\n`)
  }
}

async function upload(fleet: TestFleet, as: string, pieces: Generator<Uint8Array>): Promise<void> {
  const body = { name: 'bench', provider: 'upload', config: { key: 'id', title_field: 'title', text_field: 'text' } }
  // A workspace that was just made may still have the limits of before.
  const source = await eventually(async () => {
    const answer = await fleet.request('POST', '/v1/data/sources', { as, body })
    return answer.status === 201 && answer.body.data.data_source_id
  })
  const answer = await fleet.request('POST', `/v1/data/sources/${source}/records`, {
    as,
    rawBody: ReadableStream.from(pieces),
    headers: { 'content-type': 'application/x-ndjson' },
  })
  if (answer.status > 202 || answer.body.data.counts.failed > 0)
    throw new Error(`not uploaded: ${answer.status} ${JSON.stringify(answer.body)}`)
}
