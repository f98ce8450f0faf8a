import { afterAll, afterEach, describe, expect, it } from '@jest/globals'
import { eventually, startReceiver } from '@wp/testkit'
import { chunksOf, collectSse } from '../fixture/read-sse.ts'
import { runPath, runs, startRunHarness } from '../fixture/run-harness.ts'

const services = ['auth', 'integrations', 'ai'] as const
const harness = await startRunHarness({ processes: ['ai', 'gateway'], services })
afterEach(() => harness.model.reset())
afterAll(() => harness.stop())

/** Waits until the stream of a run has text. */
const waitForText = (id: string) =>
  eventually(
    async () =>
      (await harness.rows(`SELECT FROM run_events WHERE run_id = $1 AND chunk ->> 'type' = 'text-delta'`, [id]))
        .length > 0,
    { description: 'the first text' },
  )

const readStream = async (id: string) => collectSse((await harness.open(`${runs}/${id}/events`)).events)

describe('a run whose worker is killed', () => {
  it('starts again on another worker before its first token', async () => {
    const agent = await harness.agent()
    const silence = Promise.withResolvers<void>()
    harness.model.reply({ beforeHead: silence.promise }, { text: 'Answered.' })
    const id = await harness.start(agent)
    await harness.model.request(0)
    await harness.replaceProcess()
    expect(await harness.waitForEnd(id)).toMatchObject({ status: 'finished', output: 'Answered.' })
    silence.resolve()
    const chunks = chunksOf(await readStream(id))
    expect(chunks.map(({ type }) => type)).toEqual([
      ...['start', 'start-step', 'text-start', 'text-delta', 'text-end', 'finish-step', 'finish'],
    ])
  })

  it('fails after its first token, and what was streamed stays readable', async () => {
    const agent = await harness.agent()
    harness.model.reply({ text: ['I begin', ' and'], after: { chunks: 2, end: 'stall' } })
    const id = await harness.start(agent)
    await waitForText(id)
    await harness.replaceProcess()
    expect(await harness.waitForEnd(id)).toMatchObject({
      status: 'failed',
      error: { code: 'run_interrupted', retryable: true },
      output: 'I begin',
      usage: { output_tokens: 2, estimated: true },
    })
    const events = await readStream(id)
    expect(chunksOf(events).map(({ type }) => type)).toEqual([
      'start',
      'start-step',
      'text-start',
      'text-delta',
      'error',
    ])
    expect(events.at(-1)?.data).toBe('[DONE]')
    expect(harness.model.requests).toHaveLength(1)
    expect((await harness.events(id)).map(({ kind }) => kind)).toEqual([
      ...['AGENT_RUN_FAILED', 'USAGE_RECORDED', 'USAGE_RECORDED', 'USAGE_RECORDED'],
    ])
  })

  it('ends its step and continues on another worker when its process is stopped', async () => {
    const agent = await harness.agent({ tools: ['read_variable'] })
    const gate = Promise.withResolvers<void>()
    harness.model.reply(
      {
        text: ['I look', ' it up.'],
        toolCalls: [{ name: 'read_variable', input: { name: 'none' } }],
        beforeChunk: (index) => (index === 2 ? gate.promise : undefined),
      },
      { text: 'Found nothing.' },
    )
    const id = await harness.start(agent)
    await waitForText(id)
    const stopped = harness.fleet.member('ai').stop()
    gate.resolve()
    await stopped
    await harness.fleet.restart('ai')
    expect(await harness.waitForEnd(id)).toMatchObject({
      status: 'finished',
      output: 'Found nothing.',
      steps: [{ tool: 'read_variable' }],
    })
    expect(harness.model.requests).toHaveLength(2)
  })
})

describe('a tool call whose worker is killed', () => {
  it('is never repeated, although it was approved', async () => {
    const receiver = await startReceiver({ tls: 'none' })
    try {
      const integration = { name: 'Orders', provider: 'http', config: { base_url: receiver.url() } }
      const { integration_id: integrationId } = (
        await harness.call('POST', '/v1/integrations/integrations', { body: integration })
      ).body.data
      await harness.call('POST', `/v1/integrations/integrations/${integrationId}/test`)
      const agent = await harness.agent({ tools: [{ type: 'http', integration_id: integrationId, methods: ['POST'] }] })
      harness.model.reply(({ body }) => ({
        toolCalls: [{ name: body.tools?.[0]?.function.name ?? '', input: { path: '/orders', method: 'POST' } }],
      }))
      const { id } = (await harness.run(agent)).body.data
      receiver.clear()
      receiver.holdResponses()
      expect(await harness.call('POST', `${runs}/${id}/approve`, { body: {} })).toMatchObject({ status: 200 })
      await receiver.waitFor(({ path }) => path === '/orders')
      await harness.replaceProcess()
      receiver.releaseResponses()
      expect(await harness.waitForEnd(id)).toMatchObject({
        status: 'failed',
        error: { code: 'run_interrupted' },
        steps: [{ status: 'interrupted', output: null }],
        approvals: [{ status: 'approved' }],
      })
      expect(receiver.received.map(({ path }) => path)).toEqual(['/orders'])
    } finally {
      await receiver.close()
    }
  })
})

describe('a stream whose edge is killed', () => {
  it('continues through another edge, while its run goes on', async () => {
    const agent = await harness.agent()
    const gate = Promise.withResolvers<void>()
    harness.model.reply({
      text: ['I begin', ' and end.'],
      beforeChunk: (index) => (index === 2 ? gate.promise : undefined),
    })
    const edge = await harness.fleet.addEdge()
    const body = { input: 'How many?', stream: true }
    const { events } = await harness.open(runPath(agent), { method: 'POST', body, edge })
    const received = []
    for (let text = ''; !text.includes('I begin'); ) {
      const { value } = await events.next()
      text = value?.data ?? ''
      received.push(value)
    }
    await edge.member.kill()
    await expect(events.next()).rejects.toThrow()
    const { messageId: id } = JSON.parse(received[0]?.data ?? '{}')
    const headers = { 'last-event-id': received.at(-1)?.id ?? '' }
    const rest = await harness.open(`${runs}/${id}/events`, { headers })
    gate.resolve()
    expect(chunksOf(await collectSse(rest.events))).toMatchObject([
      { type: 'text-delta', delta: ' and end.' },
      { type: 'text-end' },
      { type: 'finish-step' },
      { type: 'finish' },
    ])
  })
})
