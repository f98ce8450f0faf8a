import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { eventually } from '@wp/testkit'
import { type SemanticFleet, type SemanticWorkspace, startSemanticFleet } from '../support/semantic-fleet.ts'

const rows = [
  { room: 'r1', title: 'North hall', note: 'Has a warm floor', seats: 12, area: 30.5, open: true, closed_on: null },
  {
    room: 'r2',
    title: 'South hall',
    note: 'Near the doctor',
    seats: 8,
    area: 21,
    open: false,
    closed_on: '2026-01-05',
  },
]
const columns = ['title', 'room', 'seats', 'note', 'closed_on', 'area', 'open'] as const
type Column = (typeof columns)[number]

const toCsv = (names: readonly Column[]) =>
  [names, ...rows.map((row) => names.map((name) => row[name] ?? ''))].map((cells) => `${cells.join(',')}\n`).join('')
const permuted = (row: Record<string, unknown>) => Object.fromEntries(Object.entries(row).reverse())
const csvRows = rows.map((row) => Object.fromEntries(columns.map((name) => [name, String(row[name] ?? '')])))

let test: SemanticFleet
let semantic: SemanticWorkspace
let sourceId: string
beforeAll(async () => {
  test = await startSemanticFleet()
})
afterAll(() => test.stop())
beforeEach(async () => {
  semantic = await test.createWorkspace()
  await semantic.connectProvider()
  sourceId = await semantic.createSource([], { config: { key: 'room' } })
  await upload('text/csv', toCsv(columns))
  await semantic.waitUntilEmbedded()
  test.server.requests.length = 0
})

async function upload(contentType: string, rawBody: string, toSourceId = sourceId) {
  const headers = { 'content-type': contentType }
  const path = `/v1/data/sources/${toSourceId}/records`
  const { body } = await test.fleet.request('POST', path, { as: semantic.workspace.apiKey, rawBody, headers })
  return body.data.counts
}

async function sync() {
  const { body } = await semantic.request('POST', `/v1/data/sources/${sourceId}/sync/start`)
  const ended = await eventually(async () => {
    const { data } = (await semantic.request('GET', `/v1/data/syncs/${body.data.id}`)).body
    return data.finished_at !== null && data
  })
  return ended.counts
}

const readRecords = async () => (await semantic.request('GET', `/v1/data/sources/${sourceId}/records`)).body.data
const unchanged = { seen: 2, created: 0, updated: 0, deleted: 0, failed: 0 }

describe('records of equal content', () => {
  it('stay unchanged and keep their embeddings when they are synced and uploaded again', async () => {
    const before = await readRecords()
    expect(await sync()).toEqual(unchanged)
    expect(await upload('text/csv', toCsv(columns))).toEqual(unchanged)
    expect(await upload('text/csv', toCsv(columns.toReversed()))).toEqual(unchanged)
    expect(await upload('application/json', JSON.stringify(csvRows))).toEqual(unchanged)
    expect(await sync()).toEqual(unchanged)
    expect(await readRecords()).toEqual(before)
    await semantic.waitUntilEmbedded()
    expect(test.server.requestedTexts()).toEqual([])
  })

  it('stay unchanged in another format, whose types are stored', async () => {
    const before = await readRecords()
    expect(await upload('application/x-ndjson', rows.map((row) => JSON.stringify(permuted(row))).join('\n'))).toEqual(
      unchanged,
    )
    expect(await sync()).toEqual(unchanged)
    const after = await readRecords()
    expect(after.map(({ data }: { data: unknown }) => data)).toEqual(rows.toReversed())
    expect(after.map(({ updated_at: at }: { updated_at: string }) => at)).toEqual(
      before.map(({ updated_at: at }: { updated_at: string }) => at),
    )
    await semantic.waitUntilEmbedded()
    expect(test.server.requestedTexts()).toEqual([])
  })

  it('are told from changed ones by every field', async () => {
    const changes = [{ seats: 13 }, { area: null }, { open: false }, { closed_on: '2026-01-06' }, { extra: 'new' }]
    for (const change of changes)
      expect(await upload('application/json', JSON.stringify([{ ...rows[0], ...change }]))).toMatchObject({
        updated: 1,
      })
  })
})

describe('1,500 records uploaded as CSV', () => {
  const names = ['room', 'title', 'note', 'seats', 'area', 'open'] as const
  const table = Array.from({ length: 1_500 }, (_, nth) => ({
    room: `r${nth}`,
    title: `Room ${nth}`,
    note: `Has a warm floor, and ${nth} "desks"`,
    seats: nth % 40,
    area: nth / 4,
    open: nth % 3 === 0,
  }))
  const quote = (value: unknown) => `"${String(value).replaceAll('"', '""')}"`
  const csvOf = (columns: readonly (typeof names)[number][]) =>
    [columns, ...table.map((row) => columns.map((name) => row[name]))]
      .map((cells) => `${cells.map(quote).join(',')}\n`)
      .join('')

  it('stay unchanged, and are embedded once, as NDJSON and as CSV with permuted columns', async () => {
    const id = await semantic.createSource([], { config: { key: 'room' } })
    expect(await upload('text/csv', csvOf(names), id)).toMatchObject({ created: 1_500, failed: 0 })
    await semantic.waitUntilEmbedded()
    expect(test.server.requestedTexts()).toHaveLength(1_500)
    test.server.requests.length = 0

    const same = { seen: 1_500, created: 0, updated: 0, deleted: 0, failed: 0 }
    const ndjson = table.map((row) => JSON.stringify(permuted(row))).join('\n')
    expect(await upload('text/csv', csvOf(names), id)).toEqual(same)
    expect(await upload('application/x-ndjson', ndjson, id)).toEqual(same)
    expect(await upload('text/csv', csvOf(['open', 'note', 'room', 'area', 'title', 'seats']), id)).toEqual(same)
    await semantic.waitUntilEmbedded()
    expect(test.server.requests).toEqual([])
  })
})
