import { beforeAll, describe, expect, it } from '@jest/globals'
import type { Client, Tool } from '@modelcontextprotocol/client'
import { createToolCatalog } from '../../src/tools/tool-catalog.ts'
import { type McpFleet, type McpSuite, revisions } from '../fixture/mcp-fleet.ts'
import { forecast, type Samples, secretValue } from '../fixture/samples.ts'

let mcp: McpFleet
let samples: Samples
let owner: Client

/** The arguments of a successful call of each tool. */
const argumentsOf: Record<string, (samples: Samples) => Record<string, unknown>> = {
  compare_scenarios: ({ scenarioId }) => ({ id: scenarioId, other_id: scenarioId }),
  create_scenario: ({ scenario }) => scenario,
  get_agent_run: ({ runId }) => ({ id: runId }),
  get_data_source: ({ sourceId }) => ({ data_source_id: sourceId }),
  get_dataset: ({ datasetId }) => ({ id: datasetId }),
  get_forecast: ({ forecastId }) => ({ id: forecastId }),
  get_plan: ({ planId }) => ({ id: planId }),
  get_record: ({ recordId }) => ({ record_id: recordId }),
  get_scenario: ({ scenarioId }) => ({ id: scenarioId }),
  get_sync: ({ syncId }) => ({ id: syncId }),
  get_usage: () => ({}),
  get_utilization: ({ spaceId }) => ({ space_id: spaceId, interval: 'weekday', children: true }),
  list_agent_runs: ({ agentId }) => ({ agent_id: agentId, limit: 1 }),
  list_agents: () => ({ status: 'active' }),
  list_audit_logs: () => ({ limit: 2 }),
  list_data_sources: () => ({ metadata: {} }),
  list_dataset_values: ({ datasetId }) => ({ id: datasetId, mapped: false }),
  list_datasets: () => ({ kind: 'people' }),
  list_forecasts: () => ({ status: 'finished' }),
  list_integrations: () => ({}),
  list_no_shows: ({ spaceId }) => ({ space_id: spaceId }),
  list_notifications: () => ({}),
  list_plans: ({ spaceId }) => ({ space_id: spaceId }),
  list_recommendations: ({ forecastId }) => ({ forecast_run_id: forecastId }),
  list_records: ({ sourceId }) => ({ data_source_id: sourceId, key: '1' }),
  list_scenarios: () => ({ status: 'finished' }),
  list_spaces: () => ({ kind: 'site' }),
  list_syncs: ({ sourceId }) => ({ data_source_id: sourceId }),
  list_teams: () => ({}),
  list_variables: () => ({}),
  list_webhook_deliveries: ({ webhookId }) => ({ webhook_id: webhookId }),
  list_webhooks: () => ({}),
  run_agent: ({ agentId }) => ({ agent_id: agentId, input: 'Which room is north?' }),
  search_records: () => ({ query: 'north', include: ['data'], facets: ['room'] }),
  start_forecast: () => forecast,
  start_sync: ({ sourceId }) => ({ data_source_id: sourceId }),
}
const catalog = createToolCatalog()

/** Returns the problem of a result that is an error. */
async function problemOf(client: Client, name: string, given: Record<string, unknown>) {
  const result = await client.callTool({ name, arguments: given })
  expect(result).toMatchObject({ isError: true })
  const [content] = result.content as { text: string }[] // every result has one text
  return JSON.parse(content?.text ?? '')
}

/** Tests the tools. */
export function describeTools(suite: McpSuite): void {
  beforeAll(async () => {
    ;({ mcp, samples } = suite)
    owner = await mcp.connect(mcp.context.owner.principal)
  })

  it('has a call of each tool in this test', () => {
    expect(Object.keys(argumentsOf)).toEqual([...catalog.keys()])
  })

  describe.each(revisions)('in revision %s', (revision) => {
    let client: Client
    let listed: ReadonlyMap<string, Tool>
    beforeAll(async () => {
      client = await mcp.connect(mcp.context.owner.principal, revision)
      const { tools } = await client.listTools()
      listed = new Map(tools.map((tool) => [tool.name, tool]))
    })

    it.each(Object.keys(argumentsOf))('%s returns what its output schema describes, and no secret', async (name) => {
      const call = { name, arguments: argumentsOf[name]?.(samples) ?? {} }
      const tool = listed.get(name)
      if (tool?.outputSchema === undefined) throw new Error(`${name} has no output schema`)
      // With the definition, the client throws if the result does not match its schema.
      const result = await client.callTool(call, { toolDefinition: tool })
      expect(result).not.toHaveProperty('isError')
      const [content] = result.content as { text: string }[] // every result has one text
      expect(JSON.parse(content?.text ?? '')).toEqual(result.structuredContent)
      expect(content?.text).not.toContain(secretValue)
    })
  })

  describe('a tool', () => {
    it('is listed with a schema of its arguments and hints', async () => {
      const { tools } = await owner.listTools()
      expect(tools.map(({ name }) => name)).toEqual([...catalog.keys()])
      expect(tools.find(({ name }) => name === 'run_agent')).toMatchObject({
        inputSchema: { required: ['agent_id'], properties: { input: {}, max_steps: {} }, additionalProperties: false },
        annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
        description: expect.stringContaining('get_agent_run'),
      })
      expect(tools.find(({ name }) => name === 'run_agent')?.inputSchema.properties).not.toHaveProperty('background')
    })

    it('that starts a job returns its id and names the tool that reads it', async () => {
      const given = argumentsOf.run_agent?.(samples) ?? {}
      const { structuredContent } = await owner.callTool({ name: 'run_agent', arguments: given })
      expect(structuredContent).toMatchObject({ data: { id: expect.stringMatching(/^run_/) } })
      expect(structuredContent).toMatchObject({ notice: expect.stringContaining('`get_agent_run`') })
    })

    it('can be called with an API key', async () => {
      const client = await mcp.connect(mcp.fleet.owner.apiKey, '2025-11-25')
      expect((await client.callTool({ name: 'get_usage', arguments: {} })).structuredContent).toHaveProperty(
        'data.quotas',
      )
    })

    it('is listed and works only with the scope of its endpoint', async () => {
      const client = await mcp.connect(await mcp.fleet.token(mcp.fleet.owner, 'mcp:use audit:read'))
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['list_audit_logs'])
      expect(await problemOf(client, 'list_webhooks', {})).toMatchObject({
        code: 'missing_scope',
        required_scope: 'webhooks:read',
      })
    })

    it.each([
      ...[
        'get_agent_run',
        'get_data_source',
        'get_dataset',
        'get_forecast',
        'get_plan',
        'get_record',
        'get_sync',
        'list_dataset_values',
      ],
      ...['run_agent', 'start_sync'],
    ])('%s does not find a resource of another workspace', async (name) => {
      const client = await mcp.connect(mcp.context.stranger.principal)
      expect(await problemOf(client, name, argumentsOf[name]?.(samples) ?? {})).toMatchObject({ code: 'not_found' })
    })

    it.each([
      ['list_records', { data_source_id: 'src_1', limit: 5 }, ['/data_source_id']],
      ['list_agents', { limit: 1000 }, ['/limit']],
      ['list_agents', { limit: null, status: ['active'] }, ['/status']],
      ['get_record', { record_id: null }, ['/record_id']],
      ['list_agents', { metadata: { team: {} } }, ['/metadata/team']],
      ['get_usage', { verbose: true }, ['/verbose']],
      ['search_records', { query: 'north', fields: [] }, ['/fields']],
      ['run_agent', { agent_id: 'agt_01h455vb4pex5vsknk084sn02q', input: 'x', stream: true }, ['/stream']],
    ])('%s tells which of %j are not valid', async (name, given, pointers) => {
      const found = await problemOf(owner, name, given)
      expect(found).toMatchObject({ code: 'validation_failed', request_id: expect.any(String) })
      expect(found.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(pointers)
    })

    it.each([
      ['list_agents', { limit: null, cursor: null, metadata: null }],
      ['list_agents', { metadata: { team: null } }],
      ['search_records', { query: 'north', limit: null, filters: null, highlight: null }],
      ['run_agent', { input: 'x', max_steps: null, conversation_id: null, metadata: null }],
    ])('%s takes null for absent when it is called with %j', async (name, given) => {
      const required = name === 'run_agent' ? { agent_id: samples.agentId } : {}
      expect(await owner.callTool({ name, arguments: { ...given, ...required } })).not.toHaveProperty('isError')
    })

    it('that does not exist is an error of the protocol', async () => {
      await expect(owner.callTool({ name: 'drop_everything', arguments: {} })).rejects.toThrow('Unknown tool')
    })
  })
}
