import { afterAll, afterEach, describe, expect, it } from '@jest/globals'
import { runs, startRunHarness } from '../fixture/run-harness.ts'

const harness = await startRunHarness()
afterEach(() => harness.model.reset())
afterAll(() => harness.stop())

describe('a run that waits for its end', () => {
  it('returns the answer of the model with its use, and emits its events once', async () => {
    const agent = await harness.agent({ instructions: 'Be brief.' })
    harness.model.reply({ text: ['Forty', '-', 'two.'] })
    const response = await harness.run(agent, { metadata: { team: 'north' }, external_id: 'x-1' })
    expect(response.status).toBe(200)
    const run = response.body.data
    expect(run).toMatchObject({
      agent_id: agent,
      agent_version: 1,
      conversation_id: null,
      status: 'finished',
      progress: 1,
      error: null,
      input: 'How many?',
      output: 'Forty-two.',
      citations: [],
      steps: [],
      approvals: [],
      warnings: [],
      usage: { input_tokens: 7, output_tokens: 5, total_tokens: 12, estimated: false },
      metadata: { team: 'north' },
      external_id: 'x-1',
    })
    expect((await harness.call('GET', `${runs}/${run.id}`)).body.data).toEqual(run)
    const usage = (meter: string, quantity: number) => ({
      kind: 'USAGE_RECORDED',
      data: { meter, quantity, subject: run.id, dimensions: { model: 'default', agent_id: agent } },
    })
    expect(await harness.events(run.id)).toEqual([
      usage('tokens_in', 7),
      usage('tokens_out', 5),
      { kind: 'AGENT_RUN_FINISHED', data: { id: run.id, status: 'finished', agent_id: agent } },
      usage('agent_runs', 1),
    ])
    const { messages } = harness.model.requests[0]?.body ?? {}
    expect(messages?.[0]).toMatchObject({ role: 'system', content: expect.stringContaining('Be brief.') })
    expect(messages?.at(-1)).toEqual({ role: 'user', content: 'How many?' })
  })

  it('is listed by its agent, status, metadata and external id', async () => {
    const agent = await harness.agent()
    harness.model.reply({ text: 'Yes.' })
    const { id } = (await harness.run(agent, { metadata: { team: 'south' }, external_id: 'x-2' })).body.data
    const list = async (query: string, as = harness.owner) =>
      (await harness.call('GET', `${runs}?${query}`, { as })).body.data.map((run: { id: string }) => run.id)
    expect(await list(`agent_id=${agent}`)).toEqual([id])
    expect(await list(`agent_id=${agent}&status=finished`)).toEqual([id])
    expect(await list(`agent_id=${agent}&status=failed`)).toEqual([])
    expect(await list('external_id=x-2')).toEqual([id])
    expect(await list('metadata[team]=south')).toEqual([id])
    expect(await list(`agent_id=${agent}`, harness.stranger)).toEqual([])
    expect(await harness.call('GET', `${runs}/${id}`, { as: harness.stranger })).toMatchObject({ status: 404 })
  })

  it('is answered at once when it runs in the background', async () => {
    const agent = await harness.agent()
    harness.model.reply({ text: 'Later.' })
    const started = await harness.run(agent, { background: true })
    expect(started).toMatchObject({ status: 202, body: { data: { status: 'queued', output: null } } })
    const { id } = started.body.data
    expect(started.headers.get('location')).toBe(`${harness.fleet.baseUrl}${runs}/${id}`)
    expect(await harness.waitForEnd(id)).toMatchObject({ status: 'finished', output: 'Later.' })
  })

  it('is one run when the request is repeated with its idempotency key', async () => {
    const agent = await harness.agent()
    harness.model.reply({ text: 'Once.' })
    const headers = { 'idempotency-key': 'run-once' }
    const first = await harness.run(agent, {}, { headers })
    const second = await harness.run(agent, {}, { headers })
    expect(second.body.data).toEqual(first.body.data)
    expect(second.status).toBe(200)
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect(harness.model.requests).toHaveLength(1)
  })

  it('fails with the error of the model, and keeps what was written', async () => {
    const agent = await harness.agent()
    harness.model.reply({ status: 401 })
    const refused = (await harness.run(agent)).body.data
    expect(refused).toMatchObject({ status: 'failed', output: null, error: { code: 'model_rejected' } })
    harness.model.reply({ text: ['It is ', 'about', ' to break'], after: { chunks: 3, end: 'cut' } })
    const cut = (await harness.run(agent)).body.data
    expect(cut).toMatchObject({
      status: 'failed',
      output: 'It is about',
      error: { code: 'model_unavailable' },
      usage: { output_tokens: 3, estimated: true },
    })
    expect(await harness.events(cut.id)).toMatchObject([
      { kind: 'AGENT_RUN_FAILED', data: { agent_id: agent, error: { code: 'model_unavailable' } } },
      { kind: 'USAGE_RECORDED', data: { meter: 'agent_runs' } },
      { kind: 'USAGE_RECORDED', data: { meter: 'tokens_in' } },
      { kind: 'USAGE_RECORDED', data: { meter: 'tokens_out', quantity: 3 } },
    ])
  })
})
