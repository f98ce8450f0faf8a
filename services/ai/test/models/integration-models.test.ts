import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { createInternalCalls } from '@wp/service'
import { createTestCaller, eventually, type ModelServer, startModelServer } from '@wp/testkit'
import { resolveProvider } from '../../src/models/resolve-integration.ts'
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

describe('a key without the scope integrations:read', () => {
  const keyWith = (scope: string) => harness.fleet.token(harness.fleet.owner, scope)
  const refused = { status: 403, body: { code: 'missing_scope', required_scope: 'integrations:read' } }

  it('lists and uses the models of the platform only when it may chat', async () => {
    const id = await connect({ models: ['small'] })
    const chatting = await keyWith('ai:chat')
    server.replyAlways({ text: 'Hi' })
    expect(await modelsOf(id, chatting)).toEqual([])
    expect((await modelsOf('local', chatting)).length).toBe(1)
    expect(await chat({ provider: id }, chatting)).toMatchObject(refused)
    expect(await chat({ provider: id, id: 'small' }, chatting)).toMatchObject(refused)
    expect((await chat({ provider: 'local' }, chatting)).status).toBe(200)
    expect(server.requests).toEqual([])
    const reading = await keyWith('ai:chat integrations:read')
    expect((await modelsOf(id, reading)).length).toBe(1)
    expect((await chat({ provider: id }, reading)).body.data.message.content).toBe('Hi')
  })

  it('runs and asks an agent whose author has named the model when it may run agents', async () => {
    const id = await connect({ models: ['small'] })
    const agent = await harness.agent({ model: { provider: id } })
    server.replyAlways({ text: 'Hi' })
    const running = await keyWith('agents:run ai:chat')
    expect((await harness.run(agent, {}, { as: running })).body.data).toMatchObject({
      status: 'finished',
      output: 'Hi',
    })
    const body = { messages: [{ role: 'user', content: 'Hello' }], agent_id: agent }
    const asked = await harness.call('POST', '/v1/ai/chat', { as: running, body })
    expect(asked.body.data.message.content).toBe('Hi')
  })

  it('does not choose the model of an agent when it may write agents', async () => {
    const id = await connect({ models: ['small', 'large'] })
    const agent = await harness.agent({ model: { provider: id } })
    const writing = await keyWith('agents:write agents:read')
    const patch = (fields: object, as: string) =>
      harness.call('PATCH', `/v1/agents/agents/${agent}`, { as, body: fields })
    expect(await patch({ model: { id: 'large' } }, writing)).toMatchObject(refused)
    expect((await patch({ model: { temperature: 0.5 }, instructions: 'Be brief.' }, writing)).status).toBe(200)
    const both = await keyWith('agents:write agents:read integrations:read')
    expect((await patch({ model: { id: 'large' } }, both)).body.data.model).toMatchObject({ id: 'large' })
  })

  it('fails with model_rejected when a chat starts after the caller has lost the scope', async () => {
    const internal = createInternalCalls({
      signer: { issuer: 'ai', sign: () => Promise.reject(new Error('a call was signed')) },
      upstreams: { addressOf: () => server.url },
      ...{ shard: 'test', location: 'TST' },
    })
    const workspaceId = harness.fleet.owner.workspaceId
    const caller = { ...createTestCaller(workspaceId), workspaceId, scopes: ['ai:chat' as const], requestId: 'req-1' }
    const resolving = resolveProvider(internal, { type: 'caller', caller }, 'int_01h455vb4pex5vsknk084sn02q')
    await expect(resolving).rejects.toMatchObject({
      error: { code: 'model_rejected', message: expect.stringContaining('integrations:read'), retryable: false },
    })
    await internal.close()
  })
})
