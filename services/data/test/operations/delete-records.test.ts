import { afterAll, beforeEach, describe, expect, it } from '@jest/globals'
import { queryAsWorker } from '../support/database.ts'
import { createSearchWorkspace, type SearchWorkspace } from '../support/search-workspace.ts'
import { startDataService } from '../support/service.ts'

let workspace: SearchWorkspace
const service = await startDataService()
afterAll(() => service.stop())
beforeEach(() => {
  workspace = createSearchWorkspace(service)
})

const people = [
  { id: 'p1', title: 'Mustermann', note: 'works in the north wing', fte: 1, left: null },
  { id: 'p2', title: 'Okonkwo', note: 'works in the south wing', fte: 0.5, left: '2026-01-05' },
  { id: 'p3', title: 'Lindqvist', note: 'works in the south wing', fte: 0.8, left: null },
]

const remove = (sourceId: string, body: unknown) =>
  workspace.request('POST', `/v1/data/sources/${sourceId}/records/delete`, body)

const listKeys = async (sourceId: string): Promise<string[]> => {
  const { body } = await workspace.request('GET', `/v1/data/sources/${sourceId}/records`)
  return body.data.map(({ key }: { key: string }) => key).sort()
}

const recordIdOf = async (sourceId: string, key: string): Promise<string> =>
  (await workspace.request('GET', `/v1/data/sources/${sourceId}/records?key=${key}`)).body.data[0].record_id

const countOf = async (sourceId: string) =>
  (await workspace.request('GET', `/v1/data/sources/${sourceId}`)).body.data.record_count

async function listLexemes(sourceId: string): Promise<string[]> {
  const rows = await queryAsWorker<{ lexeme: string }>(
    service.env,
    `SELECT DISTINCT lexeme FROM search_postings JOIN search_indexes USING (index_id) WHERE data_source_id = $1`,
    [sourceId],
  )
  return rows.map(({ lexeme }) => lexeme)
}

const listAudit = (action: string) =>
  queryAsWorker<{ data: { targets: unknown; changes: unknown } }>(
    service.env,
    `SELECT data FROM platform.outbox WHERE kind = 'AUDIT_RECORDED' AND workspace_id = $1 AND data->>'action' = $2`,
    [workspace.workspaceId, action],
  )

describe('deleting a record', () => {
  it('removes its row, its words and its hits, and is audited', async () => {
    const sourceId = await workspace.createSource(people)
    const recordId = await recordIdOf(sourceId, 'p1')
    const response = await workspace.request('DELETE', `/v1/data/records/${recordId}`)
    expect([response.status, response.body.data]).toEqual([200, { record_id: recordId, deleted: true }])
    expect((await workspace.request('GET', `/v1/data/records/${recordId}`)).status).toBe(404)
    expect((await workspace.request('DELETE', `/v1/data/records/${recordId}`)).status).toBe(404)
    expect(await listKeys(sourceId)).toEqual(['p2', 'p3'])
    expect(await countOf(sourceId)).toBe(2)
    const { data, meta } = await workspace.search({ query: 'Mustermamn' })
    expect([data, JSON.stringify(meta)]).toEqual([[], expect.not.stringContaining('mustermann')])
    const lexemes = await listLexemes(sourceId)
    expect(lexemes).toEqual(expect.arrayContaining(['okonkwo', 'wing', 'work']))
    expect(lexemes).not.toContain('mustermann')
    expect(lexemes).not.toContain('north')
    expect(await listAudit('record.deleted')).toMatchObject([{ data: { targets: [{ type: 'record', id: recordId }] } }])
  })

  it('keeps the other records searchable and accepts the row again', async () => {
    const sourceId = await workspace.createSource(people)
    await workspace.request('DELETE', `/v1/data/records/${await recordIdOf(sourceId, 'p3')}`)
    expect(await workspace.searchTitles('south')).toEqual(['Okonkwo'])
    const again = await workspace.upload(sourceId, people)
    expect(again.body.data.counts).toMatchObject({ created: 1, updated: 0 })
    expect((await workspace.searchTitles('south')).sort()).toEqual(['Lindqvist', 'Okonkwo'])
    expect(await workspace.searchTitles('Lindqvist')).toEqual(['Lindqvist'])
  })
})

describe('deleting records', () => {
  it('by key counts and audits what was deleted, without the keys', async () => {
    const sourceId = await workspace.createSource(people)
    const response = await remove(sourceId, { keys: ['p1', 'p3', 'p3', 'unknown'] })
    expect([response.status, response.body.data]).toEqual([
      200,
      { data_source_id: sourceId, counts: { seen: 3, deleted: 2 }, record_count: 1, next_cursor: null },
    ])
    expect(await listKeys(sourceId)).toEqual(['p2'])
    expect(await countOf(sourceId)).toBe(1)
    expect(await listAudit('data_source.records_deleted')).toMatchObject([
      { data: { targets: [{ type: 'data_source', id: sourceId }], changes: { deleted: 2, selected_by: 'keys' } } },
    ])
  })

  it.each([
    ['a value', { note: 'works in the south wing' }, ['p1']],
    ['a list', { id: { in: ['p1', 'p2'] } }, ['p3']],
    ['bounds', { fte: { gte: 0.8 } }, ['p2']],
    ['exclusion', { id: { not: 'p2' } }, ['p2']],
    ['absence', { left: { exists: false } }, ['p2']],
    ['several conditions', { fte: { lt: 1 }, left: { exists: false } }, ['p1', 'p2']],
  ])('by filter deletes those that pass: %s', async (_, filter, left) => {
    const sourceId = await workspace.createSource(people)
    const { body } = await remove(sourceId, { filter })
    expect(body.data).toMatchObject({ counts: { seen: 3, deleted: 3 - left.length }, next_cursor: null })
    expect(await listKeys(sourceId)).toEqual(left)
  })

  it.each([
    ['declared fields by their type', { fields: { fte: { type: 'number' } } }],
    ['numbers that were uploaded as text', {}],
  ])('by filter compares %s', async (_, config) => {
    const sourceId = await workspace.createSource(
      people.map((row) => ({ ...row, fte: String(row.fte) })),
      config,
    )
    await remove(sourceId, { filter: { fte: { gt: 0.75 } } })
    expect(await listKeys(sourceId)).toEqual(['p2'])
  })

  it('by filter deletes a bounded number per request, and continues after it', async () => {
    const rows = Array.from({ length: 1_300 }, (_, nth) => ({ id: nth, group: nth % 10 === 0 ? 'kept' : 'old' }))
    const sourceId = await workspace.createSource(rows)
    const first = (await remove(sourceId, { filter: { group: 'old' } })).body.data
    expect(first.counts.deleted).toBeGreaterThan(0)
    expect(first.counts.deleted).toBeLessThanOrEqual(1_000)
    expect(first.next_cursor).not.toBeNull()
    const second = (await remove(sourceId, { filter: { group: 'old' }, cursor: first.next_cursor })).body.data
    expect(second).toMatchObject({ record_count: 130, next_cursor: null })
    expect([first.counts.seen + second.counts.seen, first.counts.deleted + second.counts.deleted]).toEqual([
      1_300, 1_170,
    ])
  })

  it.each([
    [{}, '', 'keys'],
    [{ keys: ['a'], filter: { id: 'a' } }, '', 'keys'],
    [{ keys: [] }, '/keys', 'empty'],
    [{ filter: {} }, '/filter', 'condition'],
    [{ keys: ['a'], cursor: 'x' }, '/cursor', 'filter'],
    [{ filter: { fte: { lt: 'abc' } } }, '/filter/fte/lt', 'the field has the type number'],
    [{ filter: { notes: { not: 'x' } } }, '/filter/notes', '(did you mean "note"?); its fields are id, title'],
  ])('is rejected for %j', async (body, pointer, word) => {
    const sourceId = await workspace.createSource(people)
    const response = await remove(sourceId, body)
    expect([response.status, response.body.errors]).toEqual([400, [{ pointer, detail: expect.stringContaining(word) }]])
    expect(await countOf(sourceId)).toBe(3)
  })
})
