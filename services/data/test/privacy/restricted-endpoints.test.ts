import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { data, dataInternal, dataSearch } from '@wp/contracts'
import type { TestResponse } from '@wp/testkit'
import { type DataService, startDataService } from '../support/service.ts'

let service: DataService
let id: string
let recordId: string
let syncId: string

/** A value of a record, and the word that a search index has of it. */
const value = 'Zinnoberquarz'

beforeAll(async () => {
  const internal = { callForCaller: async () => ({ is_owner: true }), close: async () => {} }
  service = await startDataService({}, { internal: internal as never }) // the auth service alone is called
  id = await service.createSource({ config: { key: 'room', fields: { people: { type: 'number' } } } })
  const rows = Array.from({ length: 30 }, (_, n) => `${value}${n},${n}`).join('\n')
  await service.upload(id, 'text/csv', `room,people\n${rows}\nx,${value}\n`)
  const [record] = await service.listAll(`/v1/data/sources/${id}/records`)
  recordId = record.record_id
  const path = `/v1/data/sources/${id}`
  const { body } = await service.request('POST', `${path}/sync/start`, { body: {} })
  syncId = body.data.id
  const changed = await service.request('PATCH', path, { body: { record_access: 'aggregates' } })
  expect(changed.status).toBe(200)
})
afterAll(() => service.stop())

type EndpointName = keyof typeof data | keyof typeof dataSearch | keyof typeof dataInternal
type Send = () => Promise<TestResponse>

const get =
  (path: () => string): Send =>
  () =>
    service.get(path())
const post =
  (path: () => string, body: object): Send =>
  () =>
    service.request('POST', path(), { body })
const source = () => `/v1/data/sources/${id}`

type RowEndpoint = 'readRows' | 'openRowFeed' | 'readRowFeed' | 'closeRowFeed'

/**
 * A request of every endpoint about the restricted source, those that delete last. Only `readRows` and the
 * feeds of rows, which the solutions service alone may call, answer with values.
 */
const requests: Record<Exclude<EndpointName, RowEndpoint>, Send> = {
  health: get(() => '/v1/data/health'),
  listSources: get(() => '/v1/data/sources'),
  getSource: get(source),
  createSource: post(() => '/v1/data/sources', { name: 'Another', provider: 'upload' }),
  updateSource: () => service.request('PATCH', source(), { body: { name: 'Renamed' } }),
  listSyncs: get(() => `${source()}/syncs`),
  getSync: get(() => `/v1/data/syncs/${syncId}`),
  cancelSync: post(() => `/v1/data/syncs/${syncId}/cancel`, {}),
  listRecords: get(() => `${source()}/records?key=${value}0`),
  getRecord: get(() => `/v1/data/records/${recordId}`),
  preview: post(() => `/v1/data/preview?data_source_id=${id}`, {}),
  search: get(() => `/v1/data/search?q=${value.toLowerCase().slice(0, 6)}&include=data&highlight=true`),
  searchRecords: post(() => '/v1/data/search', {
    filters: { people: { gte: 0 } },
    facets: ['room'],
    include: ['data'],
  }),
  getEmbedding: get(() => '/v1/data/embedding'),
  updateEmbedding: () => service.request('PATCH', '/v1/data/embedding', { body: { integration_id: null } }),
  readQuotaUsage: () => service.request('GET', '/internal/data/quota-usage', { signer: 'system' }),
  readUnrestrictedRows: () =>
    service.request('GET', `/internal/data/sources/${id}/unrestricted-rows?fields=room`, { signer: 'ai' }),
  startSync: post(() => `${source()}/sync/start`, {}),
  uploadRecords: () => service.upload(id, 'text/csv', 'room,people\nnew,1\n'),
  deleteRecords: post(() => `${source()}/records/delete`, { filter: { people: { gte: 0 } } }),
  deleteRecord: () => service.request('DELETE', `/v1/data/records/${recordId}`),
  deleteSource: () => service.request('DELETE', source()),
}

it.each(Object.entries(requests))('%s shows no value of a restricted record', async (_name, send) => {
  const { status, body } = await send()
  expect(status).toBeLessThan(500)
  expect(JSON.stringify(body).toLowerCase()).not.toContain(value.toLowerCase())
})
