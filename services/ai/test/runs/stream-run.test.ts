import { afterAll, afterEach, describe, expect, it } from '@jest/globals'
import { DefaultChatTransport, readUIMessageStream, type UIMessage, type UIMessageChunk } from 'ai'
import { chunksOf, collectSse, type SseEvent } from '../fixture/read-sse.ts'
import { runPath, runs, startRunHarness } from '../fixture/run-harness.ts'

const harness = await startRunHarness()
afterEach(() => harness.model.reset())
afterAll(() => harness.stop())

const text = ['There ', 'are ', 'no ', 'sources.']

/** Scripts a run with a tool call. @param gate awaited before the last part of the answer */
const scriptRun = (gate?: Promise<unknown>) =>
  harness.model.reply(
    { text: 'I look.', toolCalls: [{ name: 'list_sources', input: {} }] },
    { text, ...(gate === undefined ? {} : { beforeChunk: (index) => (index === 3 ? gate : undefined) }) },
  )

const createAgent = () => harness.agent({ tools: ['list_sources'] })

/** Opens the stream of a new run. */
const openRun = (agent: string, body: Record<string, unknown> = {}) =>
  harness.open(runPath(agent), { method: 'POST', body: { input: 'How many sources?', stream: true, ...body } })

const resume = (id: string, after?: string) =>
  harness.open(`${runs}/${id}/events`, after === undefined ? {} : { headers: { 'last-event-id': after } })

/** Reads events until the condition holds. */
async function readUntil(events: AsyncGenerator<SseEvent>, isLast: (event: SseEvent, count: number) => boolean) {
  const read: SseEvent[] = []
  while (true) {
    const { value, done } = await events.next()
    if (done === true) return read
    read.push(value)
    if (isLast(value, read.length)) return read
  }
}

const parsed = ({ id, data }: SseEvent): [string | undefined, unknown] => [id, JSON.parse(data)]

const textOf = (chunks: readonly { type: string; delta?: string }[]) =>
  chunks.map(({ type, delta }) => (type === 'text-delta' ? delta : '')).join('')

describe('the stream of a run', () => {
  it('is in the UI message stream protocol, with an id an event', async () => {
    scriptRun()
    const { response, events } = await openRun(await createAgent())
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
    expect(response.headers.get('x-vercel-ai-ui-message-stream')).toBe('v1')
    const received = await collectSse(events)
    expect(received.at(-1)).toEqual({ id: undefined, data: '[DONE]' })
    expect(received.slice(0, -1).map(({ id }) => id)).toEqual(received.slice(0, -1).map((_, index) => `${index + 1}`))
    const chunks = chunksOf(received)
    expect(chunks.filter(({ type }) => type !== 'text-delta')).toMatchObject([
      { type: 'start', messageId: expect.stringMatching(/^run_/) },
      { type: 'start-step' },
      { type: 'text-start' },
      { type: 'text-end' },
      { type: 'tool-input-available', toolCallId: 'call_1_1', toolName: 'list_sources', input: {} },
      { type: 'finish-step' },
      { type: 'tool-output-available', toolCallId: 'call_1_1' },
      { type: 'start-step' },
      { type: 'text-start' },
      { type: 'text-end' },
      { type: 'finish-step' },
      { type: 'finish', finishReason: 'stop', messageMetadata: { usage: { total_tokens: 24, estimated: false } } },
    ])
    expect(textOf(chunks)).toBe(`I look.${text.join('')}`)
  })

  it('is sent for the header Accept as well', async () => {
    scriptRun()
    const body = { input: 'How many sources?' }
    const headers = { accept: 'text/event-stream' }
    const { response, events } = await harness.open(runPath(await createAgent()), { method: 'POST', body, headers })
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
    expect((await collectSse(events)).at(-1)?.data).toBe('[DONE]')
  })

  it('is read by the client of the AI SDK', async () => {
    scriptRun()
    const agent = await createAgent()
    const transport = new DefaultChatTransport({
      api: harness.fleet.baseUrl + runPath(agent),
      headers: { authorization: `Bearer ${harness.owner}` },
      prepareSendMessagesRequest: ({ messages }) => ({ body: { messages, stream: true } }),
    })
    const messages: UIMessage[] = [{ id: 'm1', role: 'user', parts: [{ type: 'text', text: 'How many sources?' }] }]
    const stream = await transport.sendMessages({
      chatId: 'chat',
      messageId: undefined,
      abortSignal: undefined,
      messages,
      trigger: 'submit-message',
    })
    expect(await lastMessage(stream)).toMatchObject({
      role: 'assistant',
      parts: [
        { type: 'step-start' },
        { type: 'text', text: 'I look.', state: 'done' },
        { type: 'dynamic-tool', toolName: 'list_sources', state: 'output-available', output: expect.anything() },
        { type: 'step-start' },
        { type: 'text', text: text.join(''), state: 'done' },
      ],
    })
  })

  it('loses and repeats nothing when it is cut at any event and resumed', async () => {
    const agent = await createAgent()
    for (let cut = 1; ; cut += 1) {
      const gate = Promise.withResolvers<void>()
      scriptRun(gate.promise)
      const stream = await openRun(agent)
      // The events up to the gate are there before it opens; for a later cut it is open.
      const isLive = cut <= 9
      if (!isLive) gate.resolve()
      const before = await readUntil(stream.events, (_event, count) => count === cut)
      stream.close()
      const { messageId: id } = JSON.parse(before[0]?.data ?? '{}')
      const rest = await resume(id, before.findLast((event) => event.id !== undefined)?.id)
      gate.resolve()
      const after = await collectSse(rest.events)
      const whole = await collectSse((await resume(id)).events)
      const received = [...before, ...after].filter(({ data }) => data !== '[DONE]')
      expect(received.map(parsed)).toEqual(whole.slice(0, -1).map(parsed))
      expect(textOf(chunksOf(whole))).toBe(`I look.${text.join('')}`)
      if (before.at(-1)?.data === '[DONE]') return
    }
  })

  it('continues after the position in `after`, and rejects one that is no position', async () => {
    scriptRun()
    const { id } = (await harness.run(await createAgent())).body.data
    const whole = await collectSse((await resume(id)).events)
    const rest = await harness.open(`${runs}/${id}/events?after=3`)
    expect(await collectSse(rest.events)).toEqual(whole.slice(3))
    expect(await harness.call('GET', `${runs}/${id}/events?after=x`)).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '?after' }] },
    })
  })
})

async function lastMessage(stream: ReadableStream<UIMessageChunk>): Promise<UIMessage | undefined> {
  let last: UIMessage | undefined
  for await (const message of readUIMessageStream({ stream, terminateOnError: true })) last = message
  return last
}
