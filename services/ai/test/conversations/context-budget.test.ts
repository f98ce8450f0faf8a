import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import type { RunningService } from '@wp/service'
import { startService } from '@wp/service'
import { eventually } from '@wp/testkit'
import { definition } from '../../src/index.ts'
import { chunksOf, collectSse } from '../fixture/read-sse.ts'
import { startRunHarness } from '../fixture/run-harness.ts'

const contextTokens = 1_000
const chat = '/v1/ai/chat'

const harness = await startRunHarness(
  { services: ['auth', 'data', 'ai'] },
  {
    AI_CONTEXT_TOKENS: `${contextTokens}`,
    RUN_CONCURRENCY: '1',
  },
)
afterEach(() => harness.model.reset())
afterAll(() => harness.stop())

/** A message of about 200 tokens. */
const long = (name: string) => `${name}: ${'lorem ipsum dolor '.repeat(43)}`

async function say(content: string, more: Record<string, unknown> = {}) {
  const body = { messages: [{ role: 'user', content }], ...more }
  const response = await harness.call('POST', chat, { body })
  if (response.status !== 200) throw new Error(JSON.stringify(response.body))
  return response.body.data
}

/** The requests of runs and those for summaries, which are not streamed. */
const requests = (isStreamed: boolean) =>
  harness.model.requests.filter(({ body }) => (body.stream === true) === isStreamed)

/** The characters of the messages of a request, without the instructions of the platform. */
const conversationLength = (index: number) =>
  requests(true)
    [index]?.body.messages.filter(({ role }) => role !== 'system')
    .reduce((sum, { content }) => sum + (content ?? '').length, 0) ?? 0

describe('a conversation beyond the token budget', () => {
  it('is sent as a summary by the model and its newest messages; the messages stay', async () => {
    harness.model.replyAlways(({ body }) =>
      body.stream === true ? { text: long('answer') } : { text: 'SUMMARY of it', usage: [100, 10] },
    )
    const first = await say(long('message 1'))
    const usages = [first.usage.input_tokens]
    for (let turn = 2; turn <= 8; turn += 1)
      usages.push((await say(long(`message ${turn}`), { conversation_id: first.conversation_id })).usage.input_tokens)
    const summaries = requests(false)
    expect(summaries.length).toBeGreaterThanOrEqual(2)
    for (const { body } of summaries) {
      const length = body.messages.reduce((sum, { content }) => sum + (content ?? '').length, 0)
      expect(length / 4).toBeLessThanOrEqual(contextTokens)
    }
    for (let turn = 0; turn < 8; turn += 1) expect(conversationLength(turn) / 4).toBeLessThanOrEqual(contextTokens)
    const last = requests(true).at(-1)?.body.messages ?? []
    expect(last[0]?.content).toContain('SUMMARY of it')
    expect(last.at(-1)?.content).toBe(long('message 8'))
    // A later summary continues the earlier one and repeats none of its messages.
    expect(summaries[1]?.body.messages.at(-1)?.content).toContain('SUMMARY of it')
    expect(summaries[1]?.body.messages.at(-1)?.content).not.toContain('message 1:')
    // The use of the summaries counts.
    expect(usages.reduce((sum, tokens) => sum + tokens, 0)).toBe(8 * 7 + 100 * summaries.length)
    const { data } = (await harness.call('GET', `/v1/ai/conversations/${first.conversation_id}`)).body
    expect(data.message_count).toBe(16)
    expect(data.messages[0].content).toBe(long('message 1'))
  })

  it('is summarized by first sentences if the model fails to, with a warning, until it succeeds', async () => {
    harness.model.replyAlways(({ body }) =>
      body.stream === true ? { text: 'Yes. And more.' } : { status: 400, body: { error: { message: 'no' } } },
    )
    const messages = Array.from({ length: 7 }, (_, index) => ({
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: `Sentence ${index}. ${long('rest')}`,
    }))
    const response = await harness.call('POST', chat, { body: { messages } })
    expect(response.body.data.warnings).toMatchObject([{ code: 'summary_extracted' }])
    expect(requests(true)[0]?.body.messages[0]?.content).toContain('User: Sentence 0.')
    const stored = await harness.rows('SELECT FROM conversations WHERE id = $1 AND summary IS NULL', [
      response.body.data.conversation_id,
    ])
    expect(stored).toHaveLength(1)
  })

  it('rejects a message that a model could not be sent', async () => {
    const body = { messages: [{ role: 'user', content: 'x'.repeat(contextTokens * 4) }] }
    const { status, body: problem } = await harness.call('POST', chat, { body })
    expect({ status, pointer: problem.errors[0].pointer }).toEqual({ status: 400, pointer: '/messages/0' })
  })
})

describe('a chat with two replicas', () => {
  let replica: RunningService
  beforeAll(async () => {
    replica = await startService(definition, { ...harness.fleet.env('ai'), PORT: '0' })
  })
  afterAll(() => replica?.stop())

  it('streams from a replica that does not run it', async () => {
    const gate = Promise.withResolvers<void>()
    harness.model.reply({ beforeHead: gate.promise, text: 'first' }, { text: ['sec', 'ond'] })
    // Each replica has one slot, so the two chats run in different ones; the edge asks one replica for both streams.
    const first = say('One')
    await harness.model.request(0)
    const body = { messages: [{ role: 'user', content: 'Two' }], stream: true }
    const { events } = await harness.open(chat, { method: 'POST', body })
    const chunks = chunksOf(await collectSse(events))
    gate.resolve()
    expect(chunks.map(({ type, delta }) => (type === 'text-delta' ? delta : '')).join('')).toBe('second')
    expect((await first).message.content).toBe('first')
    await eventually(
      async () => (await harness.rows(`SELECT FROM platform.jobs WHERE state = 'running'`)).length === 0,
      { description: 'the end of both runs' },
    )
  })
})
