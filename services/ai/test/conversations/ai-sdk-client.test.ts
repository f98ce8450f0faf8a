import { afterAll, afterEach, describe, expect, it } from '@jest/globals'
import { DefaultChatTransport, readUIMessageStream, type UIMessage } from 'ai'
import { startRunHarness } from '../fixture/run-harness.ts'

const harness = await startRunHarness()
afterEach(() => harness.model.reset())
afterAll(() => harness.stop())

/** The transport that `useChat` creates from an address, with a bearer token. */
const createTransport = () =>
  new DefaultChatTransport({
    api: `${harness.fleet.baseUrl}/v1/ai/chat`,
    headers: { authorization: `Bearer ${harness.owner}` },
  })

interface Sent {
  chatId: string
  messages: UIMessage[]
  trigger?: 'submit-message' | 'regenerate-message'
}

/** Sends messages as `useChat` does. @returns them with the answer, as `useChat` shows it */
async function send({ chatId, messages, trigger = 'submit-message' }: Sent): Promise<UIMessage[]> {
  const stream = await createTransport().sendMessages({
    chatId,
    messages,
    trigger,
    messageId: undefined,
    abortSignal: undefined,
  })
  let answer: UIMessage | undefined
  for await (const message of readUIMessageStream({ stream, terminateOnError: true })) answer = message
  if (answer === undefined) throw new Error('the stream had no message')
  return [...messages, answer]
}

const question = (id: string, text: string): UIMessage => ({ id, role: 'user', parts: [{ type: 'text', text }] })

const textOf = (message: UIMessage | undefined) =>
  (message?.parts ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('')

/** What the model was sent with a request, without the instructions. */
const promptOf = (index: number) =>
  harness.model.requests[index]?.body.messages.filter(({ role }) => role !== 'system').map(({ content }) => content)

/** The conversations of a chat as the API returns them. */
async function conversationsOf(title: string) {
  const { data } = (await harness.call('GET', '/v1/ai/conversations?limit=100')).body
  const ids = data.filter((one: { title: string }) => one.title === title).map((one: { id: string }) => one.id)
  return Promise.all(ids.map(async (id: string) => (await harness.call('GET', `/v1/ai/conversations/${id}`)).body.data))
}

describe('the chat transport of the AI SDK', () => {
  it('streams an answer, and continues its conversation with each further message', async () => {
    harness.model.reply({ text: ['Good', ' day'] }, { text: 'Fine' })
    const first = await send({ chatId: 'chat-1', messages: [question('m1', 'Hello SDK')] })
    expect(textOf(first.at(-1))).toBe('Good day')
    const second = await send({ chatId: 'chat-1', messages: [...first, question('m2', 'How are you?')] })
    expect(textOf(second.at(-1))).toBe('Fine')
    expect(promptOf(1)).toEqual(['Hello SDK', 'Good day', 'How are you?'])
    const conversations = await conversationsOf('Hello SDK')
    expect(conversations).toHaveLength(1)
    // The identifiers are those of the client, and of the answers that it was streamed.
    expect(conversations[0].messages.map(({ id }: { id: string }) => id)).toEqual(second.map(({ id }) => id))
  })

  it('answers a message again when it is regenerated, in place of the answer before', async () => {
    harness.model.reply({ text: 'Heads' }, { text: 'Tails' }, { text: 'Bye' })
    const asked = [question('m1', 'Toss a coin')]
    await send({ chatId: 'chat-2', messages: asked })
    const again = await send({ chatId: 'chat-2', messages: asked, trigger: 'regenerate-message' })
    expect(textOf(again.at(-1))).toBe('Tails')
    expect(promptOf(1)).toEqual(['Toss a coin'])
    await send({ chatId: 'chat-2', messages: [...again, question('m2', 'Thanks')] })
    expect(promptOf(2)).toEqual(['Toss a coin', 'Tails', 'Thanks'])
    const [conversation] = await conversationsOf('Toss a coin')
    expect(conversation.message_count).toBe(4)
    expect(conversation.messages.map(({ content }: { content: string }) => content)).toEqual([
      'Toss a coin',
      'Tails',
      'Thanks',
      'Bye',
    ])
  })

  it('replaces a message that was edited, with what followed it', async () => {
    harness.model.reply({ text: 'Red' }, { text: 'Blue' }, { text: 'Sea' })
    const first = await send({ chatId: 'chat-3', messages: [question('m1', 'Colour of a rose?')] })
    await send({ chatId: 'chat-3', messages: [...first, question('m2', 'Of the sky?')] })
    await send({ chatId: 'chat-3', messages: [...first, question('m2', 'What is blue?')] })
    expect(promptOf(2)).toEqual(['Colour of a rose?', 'Red', 'What is blue?'])
  })

  it('is told of a failure by an error in the stream', async () => {
    harness.model.reply({ status: 400, body: { error: { message: 'no such model' } } })
    const failed = send({ chatId: 'chat-4', messages: [question('m1', 'Fail')] })
    await expect(failed).rejects.toThrow(/model_rejected.*no such model/)
  })

  it('does not continue the chat of another principal', async () => {
    harness.model.reply({ text: 'One' }, { text: 'Two' })
    await send({ chatId: 'chat-5', messages: [question('m1', 'Whose chat?')] })
    const body = { id: 'chat-5', messages: [question('m2', 'Mine?')] }
    const as = harness.fleet.owner.apiKey
    const other = await harness.fleet.request('POST', '/v1/ai/chat', { as, body })
    expect(other.status).toBe(200)
    expect(promptOf(1)).toEqual(['Mine?'])
  })

  it('resumes the answer in progress from its beginning when the page is opened again', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    harness.model.reply({ text: ['Slow', ' answer'], beforeChunk: (index) => (index === 2 ? released : undefined) })
    const sent = send({ chatId: 'chat-6', messages: [question('m1', 'Take your time')] })
    await harness.model.request(0)
    const stream = await createTransport().reconnectToStream({ chatId: 'chat-6' })
    if (stream === null) throw new Error('there was nothing to resume')
    release()
    let resumed: UIMessage | undefined
    for await (const message of readUIMessageStream({ stream, terminateOnError: true })) resumed = message
    expect(textOf(resumed)).toBe('Slow answer')
    expect(resumed?.id).toBe((await sent).at(-1)?.id)
    expect(await createTransport().reconnectToStream({ chatId: 'chat-6' })).toBeNull()
  })

  it('refuses the identifier of a chat when its stream could not be addressed by it', async () => {
    for (const id of ['a/b', String.raw`a\b`, '..']) {
      const body = { id, messages: [question('m1', 'Hello')] }
      const refused = await harness.fleet.request('POST', '/v1/ai/chat', { as: harness.fleet.owner.apiKey, body })
      expect(refused.body).toMatchObject({ code: 'validation_failed', errors: [{ pointer: '/id' }] })
    }
  })

  it('has nothing to resume when the chat has not begun or is that of another principal', async () => {
    expect(await createTransport().reconnectToStream({ chatId: 'chat-unknown' })).toBeNull()
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    harness.model.reply({ text: 'Mine', beforeHead: released })
    const sent = send({ chatId: 'chat-7', messages: [question('m1', 'Secret question')] })
    await harness.model.request(0)
    const path = '/v1/ai/chat/chat-7/stream'
    expect((await harness.fleet.request('GET', path, { as: harness.fleet.owner.apiKey })).status).toBe(204)
    release()
    await sent
    const [conversation] = await conversationsOf('Secret question')
    const byConversation = `/v1/ai/chat/${conversation.id}/stream`
    expect((await harness.call('GET', byConversation)).status).toBe(204)
    expect((await harness.call('GET', byConversation, { as: harness.stranger })).status).toBe(404)
  })
})
