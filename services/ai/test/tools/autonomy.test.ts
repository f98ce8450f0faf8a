import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { autonomyLevels } from '@wp/contracts'
import {
  eventually,
  type ModelRequest,
  type Receiver,
  respond,
  startMcpServer,
  startReceiver,
  type TestMcpServer,
} from '@wp/testkit'
import { needsApproval } from '../../src/tools/autonomy.ts'
import { type RunHarness, runs, startRunHarness } from '../fixture/run-harness.ts'

it('the levels of autonomy ask for every call, for those that change something, and for those that destroy', () => {
  const effects = ['harmless', 'changing', 'destructive'] as const
  expect(autonomyLevels.map((level) => effects.filter((effect) => needsApproval(level, effect)))).toEqual([
    ['harmless', 'changing', 'destructive'],
    ['changing', 'destructive'],
    ['destructive'],
  ])
})

describe('the calls of a run that wait for an approval', () => {
  let harness: RunHarness
  let receiver: Receiver
  let mcp: TestMcpServer
  const integrations: Record<string, string> = {}
  beforeAll(async () => {
    harness = await startRunHarness({ services: ['auth', 'integrations', 'data', 'ai'] })
    receiver = await startReceiver({ tls: 'none', responder: respond(200) })
    mcp = await startMcpServer()
    const inputSchema = { type: 'object' as const, properties: {} }
    mcp.tools = [
      { name: 'unknown', inputSchema },
      { name: 'says_reads', inputSchema, annotations: { readOnlyHint: true } },
      { name: 'says_deletes', inputSchema, annotations: { destructiveHint: true } },
      { name: 'exempt', inputSchema, annotations: { destructiveHint: true } },
      { name: 'always', inputSchema, annotations: { readOnlyHint: true } },
    ]
    const connect = async (provider: string, config: object) => {
      const body = { name: provider, provider, config }
      const created = await harness.call('POST', '/v1/integrations/integrations', { body })
      const { integration_id: id } = created.body.data
      await harness.call('POST', `/v1/integrations/integrations/${id}/test`)
      return id
    }
    integrations.http = await connect('http', { base_url: receiver.url() })
    integrations.mcp = await connect('mcp_server', {
      url: mcp.url,
      tools_without_approval: ['exempt'],
      tools_with_approval: ['always'],
    })
    receiver.clear()
  })
  afterEach(() => {
    harness.model.reset()
    receiver.clear()
  })
  afterAll(async () => {
    await harness?.stop()
    await receiver?.close()
    await mcp?.close()
  })

  const createAgent = (autonomy: string) =>
    harness.agent({
      autonomy,
      tools: [
        'list_sources',
        { type: 'http', integration_id: integrations.http, methods: ['GET', 'POST', 'DELETE'] },
        { type: 'mcp_server', integration_id: integrations.mcp },
      ],
    })

  const nameOf = ({ body }: ModelRequest, ending: string) =>
    body.tools?.find((tool) => tool.function.name.endsWith(ending))?.function.name ?? 'none'
  const kinds = {
    own: ['list_sources', {}],
    get: ['_get', { path: '/' }],
    post: ['_send', { path: '/', method: 'POST' }],
    delete: ['_send', { path: '/', method: 'DELETE' }],
    unknown: ['_unknown', {}],
    says_reads: ['_says_reads', {}],
    says_deletes: ['_says_deletes', {}],
    exempt: ['_exempt', {}],
    always: ['_always', {}],
  } as const
  const everyKind = (request: ModelRequest) => ({
    toolCalls: Object.values(kinds).map(([ending, input]) => ({ name: nameOf(request, ending), input })),
  })
  const waitingOf = (run: { approvals: { id: string; status: string }[] }) =>
    run.approvals
      .filter(({ status }) => status === 'pending')
      .map(({ id }) => Object.keys(kinds)[Number(id.split('_').at(-1)) - 1])

  it.each([
    ['ask', ['own', 'get', 'post', 'delete', 'unknown', 'says_reads', 'says_deletes', 'exempt', 'always']],
    ['guarded', ['post', 'delete', 'unknown', 'says_reads', 'says_deletes', 'always']],
    ['autonomous', ['delete', 'says_deletes', 'always']],
  ])('are, with the autonomy %s, %p', async (autonomy, waiting) => {
    harness.model.reply(everyKind)
    const { body } = await harness.run(await createAgent(autonomy))
    expect(waitingOf(body.data)).toEqual(waiting)
    const sent = receiver.received.map(({ method }) => method).sort()
    expect(sent).toEqual(['GET', 'POST'].filter((method) => !waiting.includes(method.toLowerCase())))
  })

  it('follow a level that was lowered while the run was in progress, and no level that was raised', async () => {
    const agent = await createAgent('autonomous')
    const change = (autonomy: string) => harness.call('PATCH', `/v1/agents/agents/${agent}`, { body: { autonomy } })
    harness.model.reply((request) => ({ ...everyKind(request), beforeHead: change('ask').then(() => undefined) }))
    expect(waitingOf((await harness.run(agent)).body.data)).toHaveLength(Object.keys(kinds).length)
    harness.model.reply((request) => ({
      ...everyKind(request),
      beforeHead: change('autonomous').then(() => undefined),
    }))
    expect(waitingOf((await harness.run(agent)).body.data)).toHaveLength(Object.keys(kinds).length)
  })

  it('are those of the trigger, which may only lower the level of the agent', async () => {
    const agent = await createAgent('guarded')
    const path = `/v1/agents/agents/${agent}/triggers`
    const create = (autonomy: string) =>
      harness.call('POST', path, { body: { on: { schedule: '0 7 1 1 *' }, input: 'Which?', autonomy } })
    expect(await create('autonomous')).toMatchObject({ status: 400, body: { errors: [{ pointer: '/autonomy' }] } })
    const { id } = (await create('ask')).body.data
    harness.model.reply(everyKind)
    const started = await harness.call('POST', `${path}/${id}/run`)
    expect(started).toMatchObject({ status: 200, body: { data: { last_run_id: expect.any(String) } } })
    const read = async () => (await harness.call('GET', `${runs}/${started.body.data.last_run_id}`)).body.data
    await eventually(async () => (await read()).approvals.length > 0, { description: 'the approvals of the run' })
    expect(waitingOf(await read())).toHaveLength(Object.keys(kinds).length)
  })

  it('are none of the client: an agent that asks refuses its tools', async () => {
    const agent = await createAgent('ask')
    const tools = [{ type: 'function', function: { name: 'open_door' } }]
    const body = { model: agent, messages: [{ role: 'user', content: 'Open it' }], tools }
    const refused = await harness.call('POST', '/v1/ai/openai/chat/completions', { body })
    expect(refused).toMatchObject({ status: 400, body: { error: { param: '/tools' } } })
    await harness.call('PATCH', `/v1/agents/agents/${agent}`, { body: { autonomy: 'guarded' } })
    harness.model.reply({ toolCalls: [{ name: 'open_door', input: {} }] })
    const answered = await harness.call('POST', '/v1/ai/openai/chat/completions', { body })
    expect(answered.body.choices[0].finish_reason).toBe('tool_calls')
  })
})
