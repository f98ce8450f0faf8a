import { afterAll, afterEach, describe, expect, it } from '@jest/globals'
import { startService } from '@wp/service'
import { eventually } from '@wp/testkit'
import { definition } from '../../src/index.ts'
import { chunksOf, collectSse } from '../fixture/read-sse.ts'
import { runPath, runs, startRunHarness } from '../fixture/run-harness.ts'

const harness = await startRunHarness({ services: ['auth', 'ai'] }, { RUN_CONCURRENCY: '4' })
const replica = await startService(definition, { ...harness.fleet.env('ai'), PORT: '0' })
afterEach(() => harness.model.reset())
afterAll(async () => {
  await replica.stop()
  await harness.stop()
})

describe('two replicas', () => {
  it('stream the same events of a run, whichever runs it, and either cancels it', async () => {
    const overrides = harness.fleet.env('gateway').UPSTREAM_OVERRIDES ?? ''
    const other = overrides
      .split(',')
      .map((pair) => (pair.startsWith('ai=') ? `ai=${replica.url}` : pair))
      .join(',')
    const edge = await harness.fleet.addEdge({ UPSTREAM_OVERRIDES: other })
    const agent = await harness.agent()
    const gate = Promise.withResolvers<void>()
    harness.model.reply({
      text: ['I begin', ' and end.'],
      beforeChunk: (index) => (index === 2 ? gate.promise : undefined),
    })
    const id = await harness.start(agent)
    const streams = await Promise.all(
      [harness.fleet, edge].map((each) => harness.open(`${runs}/${id}/events`, { edge: each })),
    )
    await harness.model.request(0)
    gate.resolve()
    const [first, second] = await Promise.all(streams.map(async ({ events }) => chunksOf(await collectSse(events))))
    expect(first).toEqual(second)
    expect(first?.at(-1)).toMatchObject({ type: 'finish' })

    harness.model.reply({ text: ['I begin', ' and'], after: { chunks: 2, end: 'stall' } })
    const cancelled = await harness.start(agent)
    const request = await harness.model.request(1)
    expect(await harness.call('POST', `${runs}/${cancelled}/cancel`, { edge })).toMatchObject({ status: 200 })
    await request.ended
    expect(request.isAborted).toBe(true)
  })
})

describe('a run of a workspace', () => {
  it('is finished while the runs of another would occupy all slots', async () => {
    const gate = Promise.withResolvers<void>()
    harness.model.replyAlways(({ body }) =>
      body.messages.at(-1)?.content === 'slow' ? { beforeHead: gate.promise, text: 'Slow.' } : { text: 'Quick.' },
    )
    const hostile = await harness.agent()
    for (let count = 0; count < 40; count += 1) await harness.start(hostile, { input: 'slow' })
    // Eight slots in two replicas.
    await eventually(() => harness.model.requests.length >= 8, { description: 'all slots being in use' })
    const agent = await harness.agent({}, harness.stranger)
    const response = await harness.call('POST', runPath(agent), { as: harness.stranger, body: { input: 'quick' } })
    expect(response).toMatchObject({ status: 200, body: { data: { output: 'Quick.' } } })
    await harness.call('DELETE', `/v1/agents/agents/${hostile}`)
    gate.resolve()
    const left = await harness.rows(`SELECT FROM runs WHERE agent_id = $1 AND ended_at IS NULL`, [hostile])
    expect(left).toEqual([])
  })
})
