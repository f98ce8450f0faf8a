import { afterAll, describe, expect, it } from '@jest/globals'
import { type DataService, startDataService, streamOf } from '../support/service.ts'

const service = await startDataService()
afterAll(() => service.stop())

const csv = 'text/csv'

async function createFilledSource(config: Record<string, unknown> = { key: 'id' }): Promise<string> {
  const id = await service.createSource({ config })
  await service.upload(id, csv, 'id,v\na,1\nb,2\nc,3\n')
  return id
}

const uploadFull = (id: string, contentType: string, body: Parameters<DataService['upload']>[2], query = '') =>
  service.request('POST', `/v1/data/sources/${id}/records?mode=full${query}`, {
    rawBody: body,
    headers: { 'content-type': contentType },
  })

const keysOf = async (id: string) =>
  (await service.listAll(`/v1/data/sources/${id}/records`)).map(({ key }) => key).sort()

describe('a full upload', () => {
  it('deletes the records it does not contain', async () => {
    const id = await createFilledSource()
    const { body } = await uploadFull(id, csv, 'id,v\na,1\nc,30\nd,4\n')
    expect(body.data).toMatchObject({
      counts: { seen: 3, created: 1, updated: 1, deleted: 1, failed: 0 },
      record_count: 3,
    })
    expect(await keysOf(id)).toEqual(['a', 'c', 'd'])
    expect((await service.get(`/v1/data/sources/${id}`)).body.data.record_count).toBe(3)
  })

  it('deletes more records than one transaction, and finds rows without a key field by their content', async () => {
    const id = await service.createSource()
    const rows = Array.from({ length: 2_300 }, (_, nth) => JSON.stringify({ n: nth }))
    await service.upload(id, 'application/x-ndjson', rows.join('\n'))
    const few = rows.slice(0, 100).join('\n')
    const { body } = await uploadFull(id, 'application/x-ndjson', few, '&allow_deletions=true')
    expect(body.data).toMatchObject({ counts: { created: 0, updated: 0, deleted: 2_200 }, record_count: 100 })
  })

  it('deletes nothing in the default mode', async () => {
    const id = await createFilledSource()
    expect((await service.upload(id, csv, 'id,v\na,1\n')).body.data.counts.deleted).toBe(0)
    expect(await keysOf(id)).toEqual(['a', 'b', 'c'])
  })

  it('keeps the record of an invalid row whose key is known', async () => {
    const id = await createFilledSource()
    const { body } = await uploadFull(
      id,
      'application/json',
      JSON.stringify([
        { id: 'a', v: 'x\0' },
        { id: 'b', v: 2 },
      ]),
    )
    expect(body.data).toMatchObject({ counts: { deleted: 1, failed: 1 } })
    expect(await keysOf(id)).toEqual(['a', 'b'])
  })

  it('keeps all records and warns when the key of an invalid row is unknown', async () => {
    const id = await createFilledSource()
    const { status, body } = await uploadFull(id, csv, 'id,v\na,1\n,2\n')
    expect([status, body.data]).toMatchObject([
      200,
      { counts: { deleted: 0, failed: 1 }, warnings: [{ code: 'missing_records_kept' }] },
    ])
    expect(await keysOf(id)).toEqual(['a', 'b', 'c'])
  })

  it.each([
    ['application/json', '[{"id":"a"},'],
    ['application/json', '[{"id":"a"},{"id":"b"'],
    ['application/x-ndjson', '{"id":"a"}\n{"id":"b'],
    ['application/x-ndjson', ''],
    [csv, 'id,v\na,1\nb'],
  ])('deletes nothing when its body is cut off: %s %j', async (contentType, body) => {
    const id = await createFilledSource()
    await uploadFull(id, contentType, body)
    expect(await keysOf(id)).toEqual(['a', 'b', 'c'])
  })

  it('deletes nothing when the sender disconnects', async () => {
    const id = await createFilledSource()
    const half = (async function* () {
      yield 'id,v\na,1\n'
      throw new Error('the sender disconnected')
    })()
    await expect(uploadFull(id, csv, streamOf(half))).rejects.toThrow()
    // The next upload of the source waits for nothing of the failed one: what it would delete is decided at its end.
    expect((await service.upload(id, csv, 'id,v\na,1\n')).body.data.record_count).toBe(3)
    expect(await keysOf(id)).toEqual(['a', 'b', 'c'])
  })
})
