import { afterAll, describe, expect, it } from '@jest/globals'
import { eventually, startTestFleet, type TestResponse } from '@wp/testkit'
import { Pool } from 'pg'
import { agentsPath, blueprintsPath, refusalOf } from '../fixture/agents-service.ts'

const fleet = await startTestFleet({ services: ['auth', 'data', 'integrations', 'ai'] })
const uses = new Pool({ connectionString: fleet.env('integrations').DATABASE_WORKER_URL, max: 1 })
const jobs = new Pool({ connectionString: fleet.env('ai').DATABASE_WORKER_URL, max: 1 })
afterAll(async () => {
  await Promise.all([uses.end(), jobs.end()])
  await fleet.stop()
})

const request = (method: string, path: string, body?: unknown, as = fleet.owner.apiKey): Promise<TestResponse> =>
  fleet.request(method, path, { as, ...(body === undefined ? {} : { body }) })

async function create(path: string, body: unknown, as?: string) {
  const response = await request('POST', path, body, as)
  if (response.status !== 201) throw new Error(`failed to create: ${JSON.stringify(response.body)}`)
  return response.body.data
}

const base = 'http://127.0.0.1:9009/'
const integrationBodies = {
  http: { provider: 'http', config: { base_url: base } },
  mcp_server: { provider: 'mcp_server', config: { url: base } },
  openai_compatible: { provider: 'openai_compatible', config: { base_url: base }, secrets: { api_key: 'k' } },
}
const integrationsPath = '/v1/integrations/integrations'
const createIntegration = async (provider: keyof typeof integrationBodies, as?: string): Promise<string> =>
  (await create(integrationsPath, { name: 'Somewhere', ...integrationBodies[provider] }, as)).integration_id
const createSource = async (as?: string): Promise<string> =>
  (await create('/v1/data/sources', { name: 'Rooms', provider: 'upload' }, as)).data_source_id

const httpTool = (integration_id: string) => ({ type: 'http', integration_id })
const requestAgent = (fields: object, as?: string) => request('POST', agentsPath, { name: 'Guide', ...fields }, as)
const createAgent = async (fields: object): Promise<string> =>
  (await create(agentsPath, { name: 'Guide', ...fields })).agent_id
const patch = (id: string, body: object, as?: string) => request('PATCH', `${agentsPath}/${id}`, body, as)

const listUses = async (integrationId: string): Promise<string[]> => {
  const { rows } = await uses.query(
    `SELECT id FROM integration_uses WHERE integration_id = $1 AND service = 'ai' AND type = 'agent' ORDER BY id`,
    [integrationId],
  )
  return rows.map(({ id }) => id)
}
const waitForUses = (integrationId: string, ids: string[]) =>
  eventually(async () => JSON.stringify(await listUses(integrationId)) === JSON.stringify(ids.toSorted()), {
    description: `the uses of ${integrationId}`,
  })

const unknownSource = 'src_01h455vb4pex5vsknk084sn02q'
const unknownIntegration = 'int_01h455vb4pex5vsknk084sn02q'

describe('the data sources of an agent', () => {
  it('are accepted when they exist', async () => {
    const ids = await Promise.all(Array.from({ length: 10 }, () => createSource()))
    const agent = await createAgent({ data_source_ids: ids })
    expect((await request('GET', `${agentsPath}/${agent}`)).body.data.data_source_ids).toEqual(ids)
  })

  it('are rejected when one does not exist or belongs to another workspace', async () => {
    const [own, foreign] = [await createSource(), await createSource(fleet.stranger.apiKey)]
    const agent = await createAgent({ data_source_ids: [own] })
    for (const missing of [unknownSource, foreign]) {
      const refusal = [400, 'unknown_reference', '/data_source_ids/1']
      expect(refusalOf(await requestAgent({ data_source_ids: [own, missing] }))).toEqual(refusal)
      expect(refusalOf(await patch(agent, { data_source_ids: [own, missing] }))).toEqual(refusal)
    }
  })

  it('require the scope data:read when they are added, and only then', async () => {
    const source = await createSource()
    const writer = await fleet.token(fleet.owner, 'agents:write agents:read')
    const refused = { status: 403, body: { code: 'missing_scope', required_scope: 'data:read' } }
    expect(await requestAgent({ data_source_ids: [source] }, writer)).toMatchObject(refused)
    const agent = await createAgent({ data_source_ids: [source] })
    expect((await patch(agent, { data_source_ids: [source], name: 'Renamed' }, writer)).status).toBe(200)
    expect(await patch(agent, { data_source_ids: [source, unknownSource] }, writer)).toMatchObject(refused)
    expect((await patch(agent, { data_source_ids: [] }, writer)).status).toBe(200)
  })

  it('may have been deleted since when an agent is changed otherwise', async () => {
    const source = await createSource()
    const agent = await createAgent({ data_source_ids: [source] })
    expect((await request('DELETE', `/v1/data/sources/${source}`)).status).toBe(200)
    expect((await patch(agent, { name: 'Renamed', data_source_ids: [source] })).status).toBe(200)
  })
})

describe('an integration of an agent', () => {
  it.each([
    ['an http tool', 'http', (id: string) => ({ tools: ['search_data', httpTool(id)] })],
    ['an MCP server', 'mcp_server', (id: string) => ({ tools: [{ type: 'mcp_server', integration_id: id }] })],
    ['a model', 'openai_compatible', (id: string) => ({ model: { provider: id } })],
  ] as const)('as %s is in use until the agent is deleted', async (_what, provider, fieldsOf) => {
    const integration = await createIntegration(provider)
    const agent = await createAgent(fieldsOf(integration))
    const refused = await request('DELETE', `${integrationsPath}/${integration}`)
    expect([refused.status, refused.body.users]).toEqual([409, [{ service: 'ai', type: 'agent', id: agent }]])
    expect((await request('DELETE', `${agentsPath}/${agent}`)).status).toBe(200)
    await waitForUses(integration, [])
    expect((await request('DELETE', `${integrationsPath}/${integration}`)).status).toBe(200)
  })

  it('is released when a change drops it, and stays registered through changes back and forth', async () => {
    const [first, second] = [await createIntegration('http'), await createIntegration('http')]
    const agent = await createAgent({ tools: [httpTool(first)] })
    for (const id of [second, first, second, first, second])
      expect((await patch(agent, { tools: [httpTool(id)] })).status).toBe(200)
    await waitForUses(first, [])
    await eventually(async () => {
      const { rowCount } = await jobs.query(
        `SELECT FROM platform.jobs WHERE queue = 'release' AND subject = $1 AND state IN ('queued', 'running')`,
        [agent],
      )
      return rowCount === 0
    })
    expect(await listUses(second)).toEqual([agent])
  })

  it('is rejected with a pointer when it does not exist, has another provider or is disconnected', async () => {
    const [mcpServer, disconnected] = [await createIntegration('mcp_server'), await createIntegration('http')]
    const foreign = await createIntegration('http', fleet.stranger.apiKey)
    await request('PATCH', `${integrationsPath}/${disconnected}`, { status: 'disconnected' })
    const agent = await createAgent({})
    const blueprint = await create(blueprintsPath, { name: 'Own', instructions: '' })
    const attempts = (fields: object) => [
      requestAgent(fields),
      patch(agent, fields),
      request('POST', blueprintsPath, { name: 'Own', instructions: '', ...fields }),
      request('POST', `${blueprintsPath}/${blueprint.id}/versions`, fields),
    ]
    const cases: [object, string, string][] = [
      [{ tools: ['search_data', httpTool(unknownIntegration)] }, 'unknown_reference', '/tools/1/integration_id'],
      [{ tools: [httpTool(foreign)] }, 'unknown_reference', '/tools/0/integration_id'],
      [{ tools: [httpTool(mcpServer)] }, 'validation_failed', '/tools/0/integration_id'],
      [{ tools: [httpTool(disconnected)] }, 'validation_failed', '/tools/0/integration_id'],
      [{ model: { provider: unknownIntegration } }, 'unknown_reference', '/model/provider'],
      [{ model: { provider: mcpServer } }, 'validation_failed', '/model/provider'],
    ]
    for (const [fields, code, pointer] of cases)
      for (const attempt of attempts(fields)) expect(refusalOf(await attempt)).toEqual([400, code, pointer])
    for (const id of [mcpServer, disconnected, foreign]) await waitForUses(id, [])
  })

  it('of a blueprint is checked, kept deletable, and checked again for each agent', async () => {
    const [first, second] = [await createIntegration('http'), await createIntegration('http')]
    const blueprint = await create(blueprintsPath, { name: 'Own', instructions: '', tools: [httpTool(first)] })
    const agent = await createAgent({ blueprint_id: blueprint.id })
    expect(await listUses(first)).toEqual([agent])
    await request('POST', `${blueprintsPath}/${blueprint.id}/versions`, { tools: [httpTool(second)] })
    expect((await request('DELETE', `${integrationsPath}/${second}`)).status).toBe(200)
    const refusal = (pointer: string) => [400, 'unknown_reference', pointer]
    expect(refusalOf(await requestAgent({ blueprint_id: blueprint.id }))).toEqual(refusal('/blueprint_id'))
    expect(refusalOf(await patch(agent, { blueprint_version: 2 }))).toEqual(refusal('/blueprint_version'))
    expect((await requestAgent({ blueprint_id: blueprint.id, tools: [] })).status).toBe(201)
    expect((await patch(agent, { blueprint_version: 2, tools: [] })).status).toBe(200)
    await waitForUses(first, [])
  })

  it('requires the scope integrations:read when it is added, and only then', async () => {
    const integration = await createIntegration('http')
    const fields = { tools: [httpTool(integration)] }
    const writer = await fleet.token(fleet.owner, 'agents:write agents:read')
    const refused = { status: 403, body: { code: 'missing_scope', required_scope: 'integrations:read' } }
    expect(await requestAgent(fields, writer)).toMatchObject(refused)
    expect(await request('POST', blueprintsPath, { name: 'a', instructions: '', ...fields }, writer)).toMatchObject(
      refused,
    )
    const agent = await createAgent(fields)
    expect((await patch(agent, { ...fields, name: 'Renamed' }, writer)).status).toBe(200)
  })

  it('stays in use when two changes add it at the same time', async () => {
    const integration = await createIntegration('http')
    const agent = await createAgent({})
    const changes = [{ tools: [httpTool(integration)] }, { tools: [httpTool(integration)], name: 'Renamed' }]
    const statuses = (await Promise.all(changes.map((change) => patch(agent, change)))).map(({ status }) => status)
    expect(statuses).toEqual([200, 200])
    expect(await listUses(integration)).toEqual([agent])
    expect((await request('GET', `${agentsPath}/${agent}/versions`)).body.data.length).toBeLessThanOrEqual(3)
  })

  it('leaves no use behind when the request is replayed or the integrations service is unavailable', async () => {
    const integration = await createIntegration('http')
    const keyed = () =>
      fleet.request('POST', agentsPath, {
        as: fleet.owner.apiKey,
        body: { name: 'Once', tools: [httpTool(integration)] },
        headers: { 'idempotency-key': 'once' },
      })
    const [first, replayed] = [await keyed(), await keyed()]
    expect([replayed.headers.get('idempotency-replayed'), replayed.body]).toEqual(['true', first.body])
    await waitForUses(integration, [first.body.data.agent_id])
    const agent = await createAgent({})
    await fleet.member('integrations').stop()
    expect(refusalOf(await patch(agent, { tools: [httpTool(integration)] }))).toEqual([
      503,
      'service_unavailable',
      undefined,
    ])
    expect((await patch(agent, { name: 'Renamed' })).status).toBe(200)
    expect((await request('DELETE', `${agentsPath}/${first.body.data.agent_id}`)).status).toBe(200)
    await fleet.restart('integrations')
    await waitForUses(integration, [])
  })
})
