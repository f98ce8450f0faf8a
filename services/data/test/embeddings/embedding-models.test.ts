import { afterAll, beforeEach, describe, expect, it } from '@jest/globals'
import { type EndpointDefinition, integrationsInternal, problem } from '@wp/contracts'
import { createOutbound } from '@wp/outbound'
import { noLog } from '@wp/runtime'
import type { InternalCalls } from '@wp/service'
import { createEmbeddingModels, type EmbeddingModels } from '../../src/embeddings/embedding-models.ts'
import type { EmbeddingChoice } from '../../src/store/embeddings/embedding-choice.ts'
import { startEmbeddingServer } from '../support/embedding-server.ts'

const outbound = createOutbound({ allowCidrs: ['127.0.0.0/8'] })
const server = await startEmbeddingServer()
afterAll(async () => {
  outbound.close()
  await server.close()
})

let models: EmbeddingModels
let nowMs: number
let revision: number
let choice: EmbeddingChoice | undefined
let baseUrl: string
/** Further options of the integration. */
let embeddingOptions: Record<string, unknown>
/** Calls of the integrations service: the endpoint ids, or the outcomes of reports. */
let calls: string[]
beforeEach(() => {
  nowMs = Date.UTC(2026, 0, 5)
  revision = 1
  choice = { integrationId: 'int_1', model: null, baseUrl: server.url }
  baseUrl = server.url
  embeddingOptions = {}
  calls = []
  server.requests.length = 0
  server.override = () => undefined
  models = createEmbeddingModels({
    internal: {
      ...unused,
      // the fake answers the endpoints below
      callAsSystem: respond as InternalCalls['callAsSystem'],
      callDelegated: ((_delegation: string, ...call: Parameters<typeof respond>) =>
        respond(...call)) as InternalCalls['callDelegated'],
    },
    outboundAccess: { outbound, protocols: ['http:'] },
    readChoice: async () => choice,
    queryTimeoutMs: 2_000,
    log: noLog,
    now: () => nowMs,
  })
})

type Used = 'callAsSystem' | 'callDelegated'
const unused = {} as Omit<InternalCalls, Used> // only these are used

async function respond(endpoint: EndpointDefinition, _about: unknown, input: { body?: { outcome: string } }) {
  calls.push(endpoint.id === integrationsInternal.reportUse.id ? `report ${input.body?.outcome}` : endpoint.id)
  const config = { base_url: baseUrl, embedding_model: 'tiny', embedding_dimensions: 256, ...embeddingOptions }
  if (endpoint.id === integrationsInternal.findConnected.id)
    return { integrations: [{ integration_id: 'int_1', revision, config }] }
  if (endpoint.id === integrationsInternal.resolveSecret.id) return { revision, secrets: { api_key: 'sk-1' } }
  if (endpoint.id === integrationsInternal.reportUse.id) return {}
  throw problem('not_found')
}

const countCalls = (name: string) => calls.filter((call) => call === name).length
const findModel = async () => {
  const model = await models.find('ws_1')
  if (model === undefined) throw new Error('no model')
  return model
}

describe('find', () => {
  it('looks the model up once in 10 s, unless the cache is bypassed', async () => {
    await models.find('ws_1')
    nowMs += 10_000
    await models.find('ws_1')
    expect(countCalls(integrationsInternal.findConnected.id)).toBe(1)
    await models.find('ws_1', { bypassCache: true })
    expect(countCalls(integrationsInternal.findConnected.id)).toBe(2)
    nowMs += 10_001
    await models.find('ws_1')
    expect(countCalls(integrationsInternal.findConnected.id)).toBe(3)
  })

  it('returns nothing and sends no request unless the workspace has chosen an integration', async () => {
    choice = undefined
    expect(await models.find('ws_1')).toBeUndefined()
    expect(calls).toEqual([])
  })

  it('follows a changed choice at once', async () => {
    const before = await findModel()
    expect(before).toMatchObject({ model: 'tiny', dimensions: 256 })
    choice = { integrationId: 'int_1', model: 'large', baseUrl: server.url }
    const after = await findModel()
    expect(after).toMatchObject({ model: 'large', dimensions: undefined })
    expect(after.space).not.toBe(before.space)
    choice = undefined
    expect(await models.find('ws_1')).toBeUndefined()
  })

  it('compares vectors of one document role only, and those of all query roles', async () => {
    const { space } = await findModel()
    const changed = async (options: Record<string, unknown>) => {
      embeddingOptions = options
      return (await models.find('ws_1', { bypassCache: true }))?.space
    }
    expect(await changed({ embedding_query_prefix: 'query: ', embedding_batch_size: 2 })).toBe(space)
    const prefixed = await changed({ embedding_document_prefix: 'passage: ' })
    const typed = await changed({ embedding_document_type: 'passage: ' })
    expect(new Set([space, prefixed, typed]).size).toBe(3)
  })

  it('takes the roles of the configured model only', async () => {
    embeddingOptions = {
      embedding_query_prefix: 'query: ',
      embedding_document_type: 'passage',
      embedding_batch_size: 4,
    }
    choice = { integrationId: 'int_1', model: 'large', baseUrl: server.url }
    const none = { prefix: '', inputType: undefined }
    expect(await findModel()).toMatchObject({ queryRole: none, documentRole: none, batchSize: 4, concurrency: 4 })
  })

  it('returns nothing when the integration has another address than when it was chosen', async () => {
    baseUrl = 'https://elsewhere.example.com/v1'
    expect(await models.find('ws_1')).toBeUndefined()
  })
})

describe('embed', () => {
  it('marks texts of records and queries by their roles', async () => {
    embeddingOptions = { embedding_query_prefix: 'query: ', embedding_document_type: 'passage' }
    const model = await findModel()
    await models.embed('ws_1', model, ['a text'], { timeoutMs: 60_000 })
    await models.embedQuery('ws_1', model, 'a text', AbortSignal.timeout(60_000))
    expect(server.requests.map(({ input, input_type: type }) => [input, type])).toEqual([
      [['a text'], 'passage'],
      [['query: a text'], undefined],
    ])
  })

  it('reads the key and reports success once a minute', async () => {
    const model = await findModel()
    const embed = () => models.embed('ws_1', model, ['text'], { timeoutMs: 60_000 })
    await embed()
    await embed()
    expect([countCalls(integrationsInternal.resolveSecret.id), countCalls('report ok')]).toEqual([1, 1])
    nowMs += 60_001
    await embed()
    expect([countCalls(integrationsInternal.resolveSecret.id), countCalls('report ok')]).toEqual([2, 2])
  })

  it('reports a changed outcome at once', async () => {
    const model = await findModel()
    const embed = () => models.embed('ws_1', model, ['text'], { timeoutMs: 60_000 })
    await embed()
    server.override = () => ({ status: 401 })
    await expect(embed()).rejects.toMatchObject({ kind: 'unauthorized' })
    server.override = () => undefined
    await embed()
    expect(calls.filter((call) => call.startsWith('report'))).toEqual(['report ok', 'report unauthorized', 'report ok'])
  })

  it('does not report refused texts', async () => {
    const model = await findModel()
    server.override = () => ({ status: 400 })
    const embedding = models.embed('ws_1', model, ['text'], { timeoutMs: 60_000 })
    await expect(embedding).rejects.toMatchObject({ kind: 'refused' })
    expect(calls.filter((call) => call.startsWith('report'))).toEqual([])
  })

  it('looks the model up again when the integration has changed', async () => {
    const model = await findModel()
    revision = 2
    const embedding = models.embed('ws_1', model, ['text'], { timeoutMs: 60_000 })
    await expect(embedding).rejects.toMatchObject({ kind: 'unavailable' })
    expect(await findModel()).toMatchObject({ revision: 2 })
  })
})

describe('embedQuery', () => {
  const { signal } = new AbortController()

  it('embeds the same text once', async () => {
    const model = await findModel()
    const first = await models.embedQuery('ws_1', model, 'text', signal)
    nowMs += 86_400_000
    expect(await models.embedQuery('ws_1', model, 'text', signal)).toBe(first)
    expect(server.requests).toHaveLength(1)
  })
})
