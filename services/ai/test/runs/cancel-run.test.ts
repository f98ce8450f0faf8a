import { afterAll, afterEach, describe, expect, it } from '@jest/globals'
import { chunksOf, collectSse } from '../fixture/read-sse.ts'
import { runPath, runs, startRunHarness } from '../fixture/run-harness.ts'

const harness = await startRunHarness()
afterEach(() => harness.model.reset())
afterAll(() => harness.stop())

const cancel = (id: string, as = harness.owner) => harness.call('POST', `${runs}/${id}/cancel`, { as })

/** Scripts a model that begins to answer and then says nothing more. */
const scriptStall = () => harness.model.reply({ text: ['I begin', ' and'], after: { chunks: 2, end: 'stall' } })

const input = { input: 'How many?', stream: true }

describe('cancelling a run', () => {
  it('aborts the request to the model, ends the stream and records the estimated use', async () => {
    scriptStall()
    const { events } = await harness.open(runPath(await harness.agent()), { method: 'POST', body: input })
    const first = await events.next()
    const { messageId: id } = JSON.parse(first.value?.data ?? '{}')
    for (let event = first; !event.value?.data.includes('I begin'); ) event = await events.next()
    const cancelled = await cancel(id)
    expect(cancelled).toMatchObject({ status: 200, body: { data: { status: 'cancelled', output: 'I begin' } } })
    const rest = await collectSse(events)
    expect(chunksOf(rest).at(-1)).toEqual({ type: 'abort', reason: 'The run was cancelled' })
    expect(rest.at(-1)?.data).toBe('[DONE]')
    const request = await harness.model.request(0)
    await request.ended
    expect(request.isAborted).toBe(true)
    expect(cancelled.body.data.usage).toMatchObject({ output_tokens: 2, estimated: true })
    const use = (await harness.events(id)).map(({ kind, data }) => [kind, data.meter])
    expect(use).toEqual([
      ['USAGE_RECORDED', 'agent_runs'],
      ['USAGE_RECORDED', 'tokens_in'],
      ['USAGE_RECORDED', 'tokens_out'],
    ])
    expect((await cancel(id)).body).toEqual(cancelled.body)
    expect(await harness.events(id)).toHaveLength(3)
  })

  it('is a conflict when the run has finished, and not found in another workspace', async () => {
    harness.model.reply({ text: 'Done.' })
    const { id } = (await harness.run(await harness.agent())).body.data
    expect(await cancel(id)).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect(await cancel(id, harness.stranger)).toMatchObject({ status: 404 })
  })
})

describe('a client that disconnects', () => {
  for (const stream of [true, false])
    it(`cancels its run if it asked for it, ${stream ? 'while it streams' : 'while it waits'}`, async () => {
      const agent = await harness.agent()
      scriptStall()
      const body = { ...input, stream, on_disconnect: 'cancel' }
      const abort = new AbortController()
      const sent = fetch(harness.fleet.baseUrl + runPath(agent), {
        method: 'POST',
        headers: { authorization: `Bearer ${harness.owner}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: abort.signal,
      }).catch(() => undefined)
      const request = await harness.model.request(0)
      if (stream) await sent
      abort.abort()
      await request.ended
      expect(request.isAborted).toBe(true)
      const [run] = await harness.rows<{ run_id: string }>('SELECT run_id FROM runs WHERE agent_id = $1', [agent])
      expect(await harness.waitForEnd(run?.run_id ?? '')).toMatchObject({ status: 'cancelled' })
    })

  it('leaves its run running otherwise', async () => {
    const agent = await harness.agent()
    const gate = Promise.withResolvers<void>()
    harness.model.reply({ text: ['I go', ' on.'], beforeChunk: (index) => (index === 2 ? gate.promise : undefined) })
    const stream = await harness.open(runPath(agent), { method: 'POST', body: input })
    const { messageId: id } = JSON.parse((await stream.events.next()).value?.data ?? '{}')
    stream.close()
    gate.resolve()
    expect(await harness.waitForEnd(id)).toMatchObject({ status: 'finished', output: 'I go on.' })
  })
})
