import { afterAll, beforeEach, describe, expect, it } from '@jest/globals'
import { type SemanticWorkspace, startSemanticFleet } from '../support/semantic-fleet.ts'

let semantic: SemanticWorkspace
let sourceId: string
const test = await startSemanticFleet()
afterAll(() => test.stop())
beforeEach(async () => {
  semantic = await test.createWorkspace()
  await semantic.connectProvider()
  sourceId = await semantic.createSource([
    { id: 'garage', title: 'Garage', text: 'Where each car is parked overnight.' },
    { id: 'surgery', title: 'Surgery', text: 'The doctor sees patients in the morning.' },
    { id: 'shop', title: 'Shop', text: 'Where to buy things.' },
  ])
  await semantic.waitUntilEmbedded()
  // The vectors are cached from here on.
  expect(await semantic.searchTitles('automobile', { limit: 1 })).toEqual(['Garage'])
})

/** What is stored of the embeddings of the source, and the version of its vectors, by which searches cache them. */
async function readEmbeddings() {
  const [state] = await test.queryRows<{ chunks: number; changes: number; version: number }>(
    `SELECT version, (SELECT count(*)::integer FROM record_chunks WHERE data_source_id = $1) AS chunks,
            (SELECT count(*)::integer FROM embedding_changes WHERE data_source_id = $1) AS changes
       FROM embedding_progress WHERE data_source_id = $1`,
    [sourceId],
  )
  return state ?? { chunks: -1, changes: -1, version: -1 }
}

const readRecordId = async (key: string): Promise<string> =>
  (await semantic.request('GET', `/v1/data/sources/${sourceId}/records?key=${key}`)).body.data[0].record_id

const remove = (body: unknown) => semantic.request('POST', `/v1/data/sources/${sourceId}/records/delete`, body)

describe('the embedding of a record', () => {
  it.each([
    ['the record', async () => semantic.request('DELETE', `/v1/data/records/${await readRecordId('garage')}`)],
    ['its key', () => remove({ keys: ['garage'] })],
    ['a filter that it passes', () => remove({ filter: { title: 'Garage' } })],
  ])('is erased with %s, and no cached vector of it is used again', async (_, erase) => {
    const before = await readEmbeddings()
    expect(before).toMatchObject({ chunks: 3, changes: 0 })
    expect((await erase()).status).toBe(200)
    const after = await readEmbeddings()
    expect(after).toMatchObject({ chunks: 2, changes: 0 })
    expect(after.version).toBeGreaterThan(before.version)
    expect((await semantic.searchTitles('automobile')).toSorted()).toEqual(['Shop', 'Surgery'])
    const [left] = await test.queryRows<{ count: number }>(
      'SELECT count(*)::integer AS count FROM record_chunks WHERE data_source_id = $1 AND document = 0',
      [sourceId],
    )
    expect(left).toEqual({ count: 0 })
  })
})
