import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { eventually, type ModelServer, startModelServer } from '@wp/testkit'
import { type RunHarness, startRunHarness } from '../fixture/run-harness.ts'

let harness: RunHarness
let server: ModelServer
beforeAll(async () => {
  server = await startModelServer({ models: ['small', 'large', 'other'], apiKey: 'sk-right' })
  harness = await startRunHarness({ services: ['auth', 'integrations', 'ai'] })
})
afterEach(() => server.reset())
afterAll(async () => {
  await harness?.stop()
  await server?.close()
})

const path = (id: string) => `/v1/integrations/integrations/${id}`

/** Connects an integration to the server. @returns its id */
async function connect(config: Record<string, unknown> = {}, as = harness.owner): Promise<string> {
  const body = {
    provider: 'openai_compatible',
    name: 'Models',
    config: { base_url: server.url, ...config },
    secrets: { api_key: 'sk-right' },
  }
  const { integration_id: id } = (await harness.call('POST', '/v1/integrations/integrations', { as, body })).body.data
  const tested = await harness.call('POST', `${path(id)}/test`, { as })
  if (tested.body.data.ok !== true) throw new Error(JSON.stringify(tested.body))
  return id
}

const chat = (model: Record<string, unknown>, as = harness.owner) =>
  harness.call('POST', '/v1/ai/chat', { as, body: { messages: [{ role: 'user', content: 'Hello' }], model } })

// biome-ignore lint/suspicious/noExplicitAny: response bodies are not typed
const modelsOf = async (provider: string, as = harness.owner): Promise<any[]> =>
  (await harness.call('GET', '/v1/ai/models?limit=100', { as })).body.data.filter(
    (model: { provider: string }) => model.provider === provider,
  )

describe('a model of an integration', () => {
  it('answers with the secret of the integration, by default with its first model', async () => {
    const id = await connect({ models: ['large', 'small'] })
    server.reply({ text: 'Hi' })
    expect((await chat({ provider: id })).body.data.message.content).toBe('Hi')
    expect(server.requests[0]).toMatchObject({
      headers: { authorization: 'Bearer sk-right' },
      body: { model: 'large' },
    })
  })

  it('is the first one that the provider lists if the integration names none', async () => {
    const id = await connect()
    server.replyAlways({ text: 'Hi' })
    await chat({ provider: id })
    await chat({ provider: id, id: 'other' })
    expect(server.requests.map(({ body }) => body.model)).toEqual(['small', 'other'])
  })

  it('is refused with the field if the integration does not allow it', async () => {
    const id = await connect({ models: ['large', 'small'] })
    const { status, body } = await chat({ provider: id, id: 'other' })
    const [error] = body.errors
    expect({ status, ...error }).toEqual({
      status: 400,
      pointer: '/model/id',
      detail: 'must be a model that the integration allows: large, small',
    })
  })

  it('is unknown to other workspaces, and if the integration is not connected', async () => {
    const id = await connect()
    const foreign = await chat({ provider: id }, harness.stranger)
    expect(foreign).toMatchObject({ status: 400, body: { errors: [{ pointer: '/model/provider' }] } })
    expect(await modelsOf(id, harness.stranger)).toEqual([])
    await harness.call('PATCH', path(id), { body: { status: 'disconnected' } })
    expect((await chat({ provider: id })).body).toMatchObject({ errors: [{ pointer: '/model/provider' }] })
  })

  it('answers right after its key was rotated, before anything tested the new one', async () => {
    const id = await connect({ models: ['small'] })
    await harness.call('PATCH', path(id), { body: { secrets: { api_key: 'sk-right' } } })
    expect((await harness.call('GET', path(id))).body.data.status).toBe('pending')
    expect(await modelsOf(id)).toMatchObject([{ id: 'small', available: true }])
    server.reply({ text: 'Hi' })
    expect((await chat({ provider: id })).body.data.message.content).toBe('Hi')
    await eventually(async () => (await harness.call('GET', path(id))).body.data.status === 'connected', {
      intervalMs: 500, // requests through the edge count against the rate limit
    })
  })

  it('answers from a provider that has no list of models', async () => {
    const provider = await startModelServer({ models: null, apiKey: 'sk-right' })
    provider.replyAlways({ text: 'Hi' })
    const id = await connect({ base_url: provider.url, models: ['only'] })
    expect((await chat({ provider: id })).body.data.message.content).toBe('Hi')
    expect(provider.requests.map(({ body }) => body.model)).toEqual(['only', 'only'])
    await provider.close()
  })

  it('sets its integration to error when the provider rejects the credentials', async () => {
    const id = await connect({ models: ['small'] })
    server.reply({ status: 401 })
    const failed = await chat({ provider: id })
    expect(failed).toMatchObject({
      status: 502,
      body: {
        code: 'model_failed',
        detail: 'The model provider answered 401, it rejects the credentials',
        error: { code: 'model_rejected' },
      },
    })
    await eventually(async () => (await harness.call('GET', path(id))).body.data.status === 'error', {
      description: 'the integration being marked',
      intervalMs: 500, // requests through the edge count against the rate limit
    })
    expect((await harness.call('GET', path(id))).body.data.last_error.code).toBe('unauthorized')
    expect(await modelsOf(id)).toEqual([])
  })
})

describe('the list of models', () => {
  it('has the models of the platform and of connected integrations, in pages', async () => {
    const id = await connect({ models: ['small', 'large'] })
    expect((await modelsOf(id)).map((model) => [model.id, model.available])).toEqual([
      ['small', true],
      ['large', true],
    ])
    expect(await modelsOf('local')).toMatchObject([
      { available: true, description: expect.stringContaining('No language model') },
    ])
    expect(await modelsOf('default')).toMatchObject([{ id: 'test-model', available: true }])
    const first = await harness.call('GET', '/v1/ai/models?limit=2')
    const { next_cursor: cursor } = first.body.pagination
    const second = await harness.call('GET', `/v1/ai/models?limit=1&cursor=${cursor}`)
    expect(first.body.data.map((model: { provider: string }) => model.provider)).toEqual(['local', 'default'])
    expect(second.body.data[0].provider).toMatch(/^int_/)
  })

  it('lists what the provider offers if the integration names no models, or says why it cannot', async () => {
    const id = await connect()
    expect((await modelsOf(id)).map((model) => model.id)).toEqual(['small', 'large', 'other'])
    const stopped = await startModelServer({ apiKey: 'sk-right' })
    const unreachable = await connect({ base_url: stopped.url })
    await stopped.close()
    expect(await modelsOf(unreachable)).toMatchObject([
      { available: false, description: expect.stringContaining('cannot be reached') },
    ])
  })
})
