import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { describe, expect, it } from '@jest/globals'
import { extractSummary } from '../../src/conversations/load-history.ts'
import { type HistoryMessage, messageTokens, planHistory } from '../../src/conversations/plan-history.ts'
import { summarize } from '../../src/conversations/summarize.ts'

/** Messages of these lengths in characters, of the user and the assistant in turn. */
const messagesOf = (...lengths: number[]): HistoryMessage[] =>
  lengths.map((length, index) => ({
    seq: index + 1,
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: 'x'.repeat(length),
  }))

const seqs = (messages: readonly HistoryMessage[]) => messages.map(({ seq }) => seq)

describe('planHistory', () => {
  it('keeps all messages when they fit', () => {
    const plan = planHistory(messagesOf(400, 400), null, { availableTokens: 208, reservedTokens: 20 })
    expect([seqs(plan.summarized), seqs(plan.kept)]).toEqual([[], [1, 2]])
  })

  it('counts the earlier summary', () => {
    const plan = planHistory(messagesOf(400, 400), 'y'.repeat(40), { availableTokens: 208, reservedTokens: 20 })
    expect(seqs(plan.summarized)).toContain(1)
  })

  it('keeps the newest messages in half of the budget when they do not fit', () => {
    const plan = planHistory(messagesOf(400, 400, 400, 400), null, { availableTokens: 240, reservedTokens: 20 })
    expect([seqs(plan.summarized), seqs(plan.kept)]).toEqual([[1, 2, 3], [4]])
  })

  it.each([[10], [100, 3_000, 20], [5_000, 5_000], [1, 1, 1, 9_000, 1], Array.from({ length: 200 }, () => 77)])(
    'never exceeds the budget with its summary: %j',
    (...lengths) => {
      const messages = messagesOf(...lengths.flat())
      const plan = planHistory(messages, null, { availableTokens: 900, reservedTokens: 100 })
      const summary = plan.summarized.length > 0 ? 100 + 4 : 0
      expect(messageTokens(plan.kept) + summary).toBeLessThanOrEqual(904)
      expect([...plan.summarized, ...plan.kept]).toEqual(messages)
    },
  )
})

/** A model that answers `summary <n>` and records what it was sent. */
function recordingModel(usage?: [number, number]) {
  const prompts: LanguageModelV4CallOptions[] = []
  const model: LanguageModelV4 = {
    specificationVersion: 'v4',
    provider: 'test',
    modelId: 'test',
    supportedUrls: {},
    async doGenerate(options) {
      prompts.push(options)
      return {
        content: [{ type: 'text', text: `summary ${prompts.length}` }],
        finishReason: { unified: 'stop', raw: 'stop' },
        usage: {
          inputTokens: { total: usage?.[0], noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
          outputTokens: { total: usage?.[1], text: undefined, reasoning: undefined },
        },
        warnings: [],
      }
    },
    doStream: () => Promise.reject(new Error('a summary is not streamed')),
  }
  const texts = () =>
    prompts.map(({ prompt }) =>
      prompt
        .flatMap(({ content }) =>
          typeof content === 'string' ? content : content.map((part) => (part.type === 'text' ? part.text : '')),
        )
        .join(''),
    )
  return { model, texts }
}

const options = { contextTokens: 1_000, maxTokens: 100, signal: new AbortController().signal }

describe('summarize', () => {
  it('sends each message once, in requests that fit, and each earlier summary', async () => {
    const { model, texts } = recordingModel([30, 4])
    const messages = messagesOf(...Array.from({ length: 12 }, () => 900)).map((message) => ({
      ...message,
      content: `<${message.seq}>${message.content}`,
    }))
    const { text, usage } = await summarize(model, 'the beginning', messages, options)
    expect(texts().length).toBeGreaterThan(3)
    expect(texts()[0]).toContain('the beginning')
    expect(texts()[1]).toContain('summary 1')
    for (const { seq } of messages) expect(texts().filter((sent) => sent.includes(`<${seq}>`))).toHaveLength(1)
    for (const sent of texts()) expect(sent.length / 4).toBeLessThanOrEqual(1_000 - 100)
    expect(text).toBe(`summary ${texts().length}`)
    expect(usage).toEqual({ inputTokens: 30 * texts().length, outputTokens: 4 * texts().length, isEstimated: false })
  })

  it('shortens a message that no request holds, in its middle', async () => {
    const { model, texts } = recordingModel()
    const content = `first words ${'x'.repeat(20_000)} last words`
    const { usage } = await summarize(model, null, [{ seq: 1, role: 'user', content }], options)
    expect(texts()).toHaveLength(1)
    expect(texts()[0]).toContain('first words')
    expect(texts()[0]).toContain('last words')
    expect((texts()[0] ?? '').length / 4).toBeLessThanOrEqual(900)
    expect(usage.isEstimated).toBe(true)
    expect(usage.inputTokens).toBeGreaterThan(600)
  })
})

describe('extractSummary', () => {
  it('keeps the first sentence of each message', () => {
    const summary = extractSummary(
      null,
      [
        { seq: 1, role: 'user', content: 'How many desks are free?  I need two.' },
        { seq: 2, role: 'assistant', content: 'Seven desks [1].\nThe list follows.' },
      ],
      1_000,
    )
    expect(summary).toBe('User: How many desks are free?\nAssistant: Seven desks [1].')
  })

  it('drops the oldest lines of the earlier summary first', () => {
    const messages: HistoryMessage[] = [{ seq: 9, role: 'user', content: 'Third.' }]
    expect(extractSummary('User: First.\nUser: Second.', messages, 30)).toBe('User: Second.\nUser: Third.')
  })
})
