import { afterAll, describe, expect, it } from '@jest/globals'
import { queryAsWorker } from '../support/database.ts'
import { startDataService } from '../support/service.ts'

const service = await startDataService()
afterAll(() => service.stop())

const csv = 'text/csv'
const rows = 'id,v\na,1\nb,2\n'

const upload = (id: string, body: string, key: string, more: Record<string, string> = {}) =>
  service.upload(id, csv, body, { 'idempotency-key': key, ...more })

const recordCount = async (id: string) => (await service.get(`/v1/data/sources/${id}`)).body.data.record_count

describe('an upload with an idempotency key', () => {
  it('is answered again and stores nothing when its body is sent again', async () => {
    const id = await service.createSource({ config: { key: 'id' } })
    const first = await upload(id, rows, 'key-1')
    expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([200, null])
    await service.upload(id, csv, 'id,v\na,100\n')
    const again = await upload(id, rows, 'key-1')
    expect([again.status, again.body]).toEqual([200, first.body])
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    const [record] = (await service.get(`/v1/data/sources/${id}/records?key=a`)).body.data
    expect(record.data.v).toBe(100)
  })

  it('is rejected when the key was used for another body, which is not stored', async () => {
    const id = await service.createSource({ config: { key: 'id' } })
    await upload(id, rows, 'key-2')
    const other = await upload(id, 'id,v\na,1\nc,3\n', 'key-2')
    expect(other).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } })
    expect(await recordCount(id)).toBe(2)
  })

  it('creates one sync when it asks for an asynchronous response', async () => {
    const id = await service.createSource({ config: { key: 'id' } })
    const more = { prefer: 'respond-async' }
    const first = await upload(id, rows, 'key-3', more)
    const again = await upload(id, rows, 'key-3', more)
    expect([first.status, again.status]).toEqual([202, 202])
    expect(again.body.data.id).toBe(first.body.data.id)
    expect((await service.get(`/v1/data/sources/${id}/syncs`)).body.data).toHaveLength(1)
  })

  it('can be sent again after a failure, and is audited once per attempt', async () => {
    const id = await service.createSource({ config: { key: 'id' } })
    const failed = await upload(id, '<!doctype html><p>Sign in', 'key-4')
    expect(failed).toMatchObject({ status: 400, body: { code: 'malformed_body' } })
    const again = await upload(id, rows, 'key-4')
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, null])
    const audited = await queryAsWorker(
      service.env,
      `SELECT FROM platform.outbox WHERE kind = 'AUDIT_RECORDED' AND data->>'action' = 'data_source.records_uploaded'
         AND data @> jsonb_build_object('targets', jsonb_build_array(jsonb_build_object('id', $1::text)))`,
      [id],
    )
    expect(audited).toHaveLength(1)
  })
})
