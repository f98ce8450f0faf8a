import { afterAll, afterEach, describe, expect, it } from '@jest/globals'
import { createInternalCalls } from '@wp/service'
import { createTestCaller, startModelServer } from '@wp/testkit'
import { resolveProvider } from '../../src/models/resolve-integration.ts'
import { agentsPath } from '../fixture/agents-service.ts'
import { startRunHarness } from '../fixture/run-harness.ts'

const server = await startModelServer({ models: ['small', 'large'] })
const harness = await startRunHarness({ services: ['auth', 'integrations', 'ai'] })
afterEach(() => server.reset())
afterAll(async () => {
  await harness.stop()
  await server.close()
})

const integrationsPath = '/v1/integrations/integrations'
/** Creates an integration that may be used. @returns its id */
async function create(fields: object): Promise<string> {
  const created = await harness.call('POST', integrationsPath, { body: { name: 'Somewhere', ...fields } })
  if (created.status !== 201) throw new Error(`failed to create: ${JSON.stringify(created.body)}`)
  return created.body.data.integration_id
}
async function createModels(models: string[]): Promise<string> {
  const config = { base_url: server.url, models }
  const id = await create({ provider: 'openai_compatible', config, secrets: { api_key: 'key' } })
  await harness.call('POST', `${integrationsPath}/${id}/test`)
  return id
}

const keyWith = (scope: string) => harness.fleet.token(harness.fleet.owner, scope)
const refused = { status: 403, body: { code: 'missing_scope', required_scope: 'integrations:read' } }
const httpTool = (integration_id: string) => ({ type: 'http', integration_id })
const chat = (model: Record<string, unknown>, as: string) =>
  harness.call('POST', '/v1/ai/chat', { as, body: { messages: [{ role: 'user', content: 'Hello' }], model } })
const patch = (agent: string, body: object, as: string) => harness.call('PATCH', `${agentsPath}/${agent}`, { as, body })

const modelsOf = async (provider: string, as: string): Promise<unknown[]> =>
  (await harness.call('GET', '/v1/ai/models?limit=100', { as })).body.data.filter(
    (model: { provider: string }) => model.provider === provider,
  )

describe('a key without the scope integrations:read', () => {
  it('lists and uses the models of the platform only when it may chat', async () => {
    const id = await createModels(['small'])
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
    const id = await createModels(['small'])
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
    const id = await createModels(['small', 'large'])
    const agent = await harness.agent({ model: { provider: id } })
    const writing = await keyWith('agents:write agents:read')
    expect(await patch(agent, { model: { id: 'large' } }, writing)).toMatchObject(refused)
    expect((await patch(agent, { model: { temperature: 0.5 }, instructions: 'Be brief.' }, writing)).status).toBe(200)
    const both = await keyWith('agents:write agents:read integrations:read')
    expect((await patch(agent, { model: { id: 'large' } }, both)).body.data.model).toMatchObject({ id: 'large' })
  })

  it('does not choose other methods or tools of an integration when it may write agents', async () => {
    const [http, mcpServer] = [
      await create({ provider: 'http', config: { base_url: server.url } }),
      await create({ provider: 'mcp_server', config: { url: server.url } }),
    ]
    const tools = [httpTool(http), { type: 'mcp_server', integration_id: mcpServer, tools: ['read'] }]
    const agent = await harness.agent({ tools })
    const writing = await keyWith('agents:write agents:read')
    const changes = [
      [{ ...httpTool(http), methods: ['GET', 'DELETE'] }, tools[1]],
      [tools[0], { type: 'mcp_server', integration_id: mcpServer }],
    ]
    for (const changed of changes) {
      expect(await patch(agent, { tools: changed }, writing)).toMatchObject(refused)
      expect((await patch(agent, { tools: changed }, harness.owner)).status).toBe(200)
      await patch(agent, { tools }, harness.owner)
    }
    const described = tools.map((tool) => ({ ...tool, description: 'For orders' }))
    expect((await patch(agent, { tools: described }, writing)).status).toBe(200)
  })

  it('fails with model_rejected when a chat starts after the caller has lost the scope', async () => {
    const internal = createInternalCalls({
      signer: { issuer: 'ai', sign: () => Promise.reject(new Error('a call was signed')) },
      upstreams: { addressOf: () => server.url },
      shard: 'test',
      location: 'TST',
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
