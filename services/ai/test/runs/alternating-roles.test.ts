import { afterAll, afterEach, describe, expect, it } from '@jest/globals'
import { startRunHarness } from '../fixture/run-harness.ts'

const harness = await startRunHarness()
afterEach(() => harness.model.reset())
afterAll(() => harness.stop())

const chat = (body: Record<string, unknown>) => harness.call('POST', '/v1/ai/chat', { body })
const ask = (content: string, more: Record<string, unknown> = {}) =>
  chat({ messages: [{ role: 'user', content }], ...more })

/** Roles and texts that the model was sent with a request. */
const promptOf = (index: number) =>
  harness.model.requests[index]?.body.messages.map(({ role, content }) => [role, content]) ?? []
const conversationOf = (index: number) => promptOf(index).filter(([role]) => role !== 'system')

describe('the prompt of a model', () => {
  it.each([
    ['the model failed', { status: 500 }],
    ['the stream broke', { text: ['Half', 'way'], after: { chunks: 1, end: 'cut' } }],
    ['the model wrote nothing', {}],
  ] as const)('alternates between user and assistant when, before, %s', async (_, reply) => {
    harness.model.reply({ text: 'One' })
    const first = await ask('First?')
    harness.model.replyAlways(reply)
    const { conversation_id: id } = first.body.data
    await ask('Second?', { conversation_id: id })
    const before = harness.model.requests.length
    harness.model.replyAlways({ text: 'Both' })
    expect(await ask('Third?', { conversation_id: id })).toMatchObject({ status: 200 })
    expect(conversationOf(before)).toEqual([
      ['user', 'First?'],
      ['assistant', 'One'],
      ['user', 'Second?\n\nThird?'],
    ])
  })

  it('begins with the user when the conversation begins with the assistant', async () => {
    harness.model.reply({ text: 'Fine' })
    const messages = [
      { role: 'assistant', content: 'How can I help?' },
      { role: 'user', content: 'Hello' },
      { role: 'user', content: 'Anyone?' },
    ]
    const agent = await harness.agent()
    expect(await harness.run(agent, { input: undefined, messages })).toMatchObject({ status: 200 })
    expect(conversationOf(0)).toEqual([['user', 'Hello\n\nAnyone?']])
    expect(promptOf(0)[0]?.[1]).toContain('You began the conversation with this message:\nHow can I help?')
  })
})
