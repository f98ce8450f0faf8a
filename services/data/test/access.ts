import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { AccessContext, AccessFixture, AccessFixtures, EdgeRequestOptions } from '@wp/testkit'

const csv = { rawBody: 'a,b\n1,2\n', headers: { 'content-type': 'text/csv' } }

const createSource = (context: AccessContext): Promise<string> =>
  context.createId('/v1/data/sources', { name: context.uniqueName(), provider: 'upload' }, 'data_source_id')

async function createSourceWithRecords(context: AccessContext): Promise<string> {
  const id = await createSource(context)
  await context.fleet.request('POST', `/v1/data/sources/${id}/records`, { as: context.owner.principal, ...csv })
  return id
}

async function createRecord(context: AccessContext): Promise<{ record_id: string }> {
  const id = await createSourceWithRecords(context)
  return { record_id: (await context.read(`/v1/data/sources/${id}/records`))[0].record_id }
}

const createSync = async (context: AccessContext): Promise<string> =>
  context.createId(`/v1/data/sources/${await createSourceWithRecords(context)}/sync/start`)

/** Starts a sync that waits for its first response, so that it has not ended before it is cancelled. */
async function createWaitingSync(context: AccessContext): Promise<string> {
  const silent = createServer(() => {})
    .listen(0, '127.0.0.1')
    .unref()
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo // a TCP server has such an address
  const source = { name: context.uniqueName(), provider: 'http', config: { url: `http://127.0.0.1:${port}/rows.csv` } }
  const id = await context.createId('/v1/data/sources', source, 'data_source_id')
  return context.createId(`/v1/data/sources/${id}/sync/start`)
}

const createIntegration = (context: AccessContext): Promise<string> =>
  context.createId(
    '/v1/integrations/integrations',
    {
      provider: 'http',
      name: context.uniqueName(),
      config: { base_url: 'http://127.0.0.1:1024/' },
      secrets: { token: 'secret' },
    },
    'integration_id',
  )

const withSource = (request?: EdgeRequestOptions): AccessFixture => ({
  params: async (context) => ({ data_source_id: await createSource(context) }),
  ...(request === undefined ? {} : { request }),
})

export const accessFixtures: AccessFixtures = {
  'data.listSources': {},
  'data.createSource': {
    request: { body: { name: 'created', provider: 'upload' } },
    foreignReference: async (context) => ({
      body: {
        name: 'created',
        provider: 'http',
        config: { url: 'http://127.0.0.1:1024/rows.csv' },
        integration_id: await createIntegration(context),
      },
      pointer: '/integration_id',
    }),
  },
  'data.getSource': withSource(),
  'data.updateSource': withSource({ body: { name: 'renamed' } }),
  'data.deleteSource': withSource(),
  'data.uploadRecords': withSource(csv),
  'data.preview': { request: csv, withoutIdempotencyKey: 'reads a file and stores nothing' },
  'data.startSync': withSource(),
  'data.search': { buildRequest: () => ({ query: 'q=rooms' }) },
  'data.searchRecords': {
    request: { body: { query: 'rooms' } },
    foreignReference: async (context) => ({
      body: { query: 'rooms', data_source_ids: [await createSource(context)] },
      pointer: '/data_source_ids/0',
    }),
    withoutIdempotencyKey: 'the request only reads; it is a POST because the query may be too long for a URL',
  },
  'data.getEmbedding': {},
  'data.updateEmbedding': { request: { body: { integration_id: null } }, alternativeBody: { model: null } },
  'data.listSyncs': withSource(),
  'data.getSync': { params: async (context) => ({ id: await createSync(context) }) },
  'data.cancelSync': { params: async (context) => ({ id: await createWaitingSync(context) }) },
  'data.listRecords': withSource(),
  'data.getRecord': { params: createRecord },
  'data.deleteRecord': { params: createRecord },
  'data.deleteRecords': { ...withSource({ body: { keys: ['a'] } }), alternativeBody: { keys: ['b'] } },
}
