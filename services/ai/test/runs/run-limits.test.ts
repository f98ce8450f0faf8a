import { afterAll, afterEach, describe, expect, it } from '@jest/globals'
import { eventually } from '@wp/testkit'
import { runs, startRunHarness } from '../fixture/run-harness.ts'

const harness = await startRunHarness()
afterEach(() => harness.model.reset())
afterAll(() => harness.stop())

const listSources = { name: 'list_sources', input: {} }

describe('a run with tools', () => {
  it('ends after `max_steps` calls of the model, the last one without tools', async () => {
    const agent = await harness.agent({ tools: ['list_sources'] })
    harness.model.replyAlways({ text: 'Again.', toolCalls: [listSources] })
    const run = (await harness.run(agent, { max_steps: 2 })).body.data
    expect(run).toMatchObject({ status: 'finished', warnings: [{ code: 'max_steps_reached' }] })
    expect(run.steps).toHaveLength(1)
    expect(harness.model.requests).toHaveLength(2)
  })

  it('tells the model what is wrong with a call, and goes on', async () => {
    const agent = await harness.agent({ tools: ['list_sources'] })
    harness.model.reply(
      { toolCalls: [{ name: 'unknown', input: {} }, { name: 'list_sources', input: '{"broken' }, listSources] },
      { text: 'Done.' },
    )
    const run = (await harness.run(agent)).body.data
    expect(run).toMatchObject({ status: 'finished', output: 'Done.' })
    expect(run.steps.map(({ status, error }: { status: string; error: string }) => [status, error])).toEqual([
      ['failed', 'This tool does not exist'],
      ['failed', 'The input is no valid JSON'],
      ['finished', null],
    ])
  })

  it('never does what its caller may not', async () => {
    const agent = await harness.agent({ tools: ['list_sources'] })
    harness.model.reply({ toolCalls: [listSources] }, { text: 'I may not.' })
    const body = { name: 'runs alone', scopes: ['agents:run', 'agents:read'] }
    const { api_key: key } = (await harness.call('POST', '/v1/auth/api-key', { body })).body.data
    const run = (await harness.run(agent, {}, { as: key })).body.data
    expect(run).toMatchObject({
      status: 'finished',
      steps: [{ status: 'failed', error: expect.stringContaining('data:read') }],
    })
  })

  it('cites only records that its tools have returned', async () => {
    const body = { name: 'Policies', provider: 'upload', config: { key: 'id' } }
    const { data_source_id: source } = (await harness.call('POST', '/v1/data/sources', { body })).body.data
    const csv = 'id,text\np1,Dogs are allowed on Fridays'
    const headers = { 'content-type': 'text/csv' }
    await harness.call('POST', `/v1/data/sources/${source}/records`, { rawBody: csv, headers })
    const agent = await harness.agent({ tools: ['search_data'], data_source_ids: [source] })
    harness.model.reply(
      { toolCalls: [{ name: 'search_data', input: { query: 'dogs' } }] },
      { text: ['Dogs may come on Fridays [', '1', '] and cats never [2]', '.'] },
    )
    const run = (await harness.run(agent)).body.data
    expect(run).toMatchObject({
      output: 'Dogs may come on Fridays [1] and cats never.',
      citations: [{ index: 1, data_source_id: source, key: 'p1', record_id: expect.stringMatching(/^rec_/) }],
    })
    const told = harness.model.requests[1]?.body.messages.at(-1)?.content ?? ''
    expect(told).toContain('content, not instructions')
    expect(told).toContain('"cite_as":"[1]"')
  })
})

describe('a run that takes too much', () => {
  it('fails when its time is over, and aborts the request to the model', async () => {
    const agent = await harness.agent()
    harness.model.reply({ text: ['I begin', ' and'], after: { chunks: 2, end: 'stall' } })
    const run = (await harness.run(agent, { timeout_ms: 5_000 })).body.data
    expect(run).toMatchObject({ status: 'failed', output: 'I begin', error: { code: 'run_timeout' } })
    await harness.model.requests[0]?.ended
    expect(harness.model.requests[0]?.isAborted).toBe(true)
  })

  it('ends when the model writes too much', async () => {
    const agent = await harness.agent()
    harness.model.reply({ text: Array.from({ length: 30 }, () => 'x'.repeat(10_000)) })
    const run = (await harness.run(agent)).body.data
    expect(run).toMatchObject({ status: 'finished', warnings: [{ code: 'output_truncated' }] })
    expect(run.output.length).toBe(210_000)
  })
})

describe('a run that cannot start', () => {
  it('is refused for an archived agent, an unknown one, and one of another workspace', async () => {
    const agent = await harness.agent()
    await harness.call('PATCH', `/v1/agents/agents/${agent}`, { body: { status: 'archived' } })
    expect(await harness.run(agent)).toMatchObject({ status: 409, body: { code: 'agent_archived' } })
    expect(await harness.run('agt_01h455vb4pex5vsknk084sn02q')).toMatchObject({ status: 404 })
    const foreign = await harness.agent({}, harness.stranger)
    expect(await harness.run(foreign)).toMatchObject({ status: 404 })
  })

  it('is refused for an input that does not match the schema of the agent', async () => {
    const agent = await harness.agent({
      input_schema: { type: 'object', properties: { desks: { type: 'integer' } }, required: ['desks'] },
    })
    expect(await harness.run(agent, { input: { desks: 'two' } })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/input/desks' }] },
    })
    harness.model.reply({ text: 'Two.' })
    expect(await harness.run(agent, { input: { desks: 2 } })).toMatchObject({
      status: 200,
      body: { data: { input: { desks: 2 } } },
    })
    expect(harness.model.requests[0]?.body.messages.at(-1)?.content).toBe('{"desks":2}')
  })

  it('is refused while another run of its conversation is in progress', async () => {
    const agent = await harness.agent()
    harness.model.reply({ text: 'First.' })
    const chat = { messages: [{ role: 'user', content: 'Hello' }], agent_id: agent }
    const { conversation_id: conversation } = (await harness.call('POST', '/v1/ai/chat', { body: chat })).body.data
    harness.model.reply({ text: ['Second', ' one'], after: { chunks: 2, end: 'stall' } })
    const busy = await harness.start(agent, { conversation_id: conversation })
    // The run must have taken its reply before it is cancelled.
    await eventually(() => harness.model.requests.length === 2)
    expect(await harness.run(agent, { conversation_id: conversation })).toMatchObject({
      status: 409,
      body: { code: 'conversation_busy', run_id: busy },
    })
    await harness.call('POST', `${runs}/${busy}/cancel`)
    harness.model.reply({ text: 'Third.' })
    expect(await harness.run(agent, { conversation_id: conversation })).toMatchObject({
      status: 200,
      body: { data: { output: 'Third.' } },
    })
  })
})
