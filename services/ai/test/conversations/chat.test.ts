import { afterAll, afterEach, describe, expect, it } from '@jest/globals'
import { chunksOf, collectSse } from '../fixture/read-sse.ts'
import { type RunHarness, startRunHarness } from '../fixture/run-harness.ts'

const chat = '/v1/ai/chat'
const conversations = '/v1/ai/conversations'
const ask = (content: string, more: Record<string, unknown> = {}) => ({
  messages: [{ role: 'user', content }],
  ...more,
})

const harness = await startRunHarness()
afterEach(() => harness.model.reset())
afterAll(() => harness.stop())

const send = (body: unknown, options: Parameters<RunHarness['call']>[2] = {}) =>
  harness.call('POST', chat, { body, ...options })

/** Sends a message that the model answers. @returns the data of the response */
async function say(content: string, more: Record<string, unknown> = {}, answer = `re: ${content}`) {
  harness.model.reply({ text: answer })
  const response = await send(ask(content, more))
  if (response.status !== 200) throw new Error(JSON.stringify(response.body))
  return response.body.data
}

const read = async (id: string) => (await harness.call('GET', `${conversations}/${id}`)).body.data

/** The messages that the model was sent with a request, without the instructions. */
const sent = (index: number) =>
  harness.model.requests[index]?.body.messages.filter(({ role }) => role !== 'system').map(({ content }) => content)

describe('a chat', () => {
  it('answers with the default model, and keeps the conversation', async () => {
    const answer = await say('Hello there')
    expect(answer).toMatchObject({
      message: { id: answer.run_id, role: 'assistant', content: 're: Hello there' },
      citations: [],
      usage: { input_tokens: 7, output_tokens: 5, total_tokens: 12, estimated: false },
      warnings: [],
    })
    expect(await read(answer.conversation_id)).toMatchObject({
      title: 'Hello there',
      agent_id: null,
      message_count: 2,
      messages: [
        { role: 'user', content: 'Hello there', run_id: null, citations: [] },
        { id: answer.run_id, role: 'assistant', content: 're: Hello there', run_id: answer.run_id, citations: [] },
      ],
    })
    expect(harness.model.requests[0]?.body.tools?.map((tool) => tool.function.name).sort()).toEqual([
      'aggregate_records',
      'list_sources',
      'read_record',
      'search_data',
    ])
    const audits = await harness.rows<{ action: string }>(
      `SELECT data ->> 'action' AS action FROM platform.outbox WHERE data @> $1`,
      [JSON.stringify({ targets: [{ type: 'conversation', id: answer.conversation_id }] })],
    )
    expect(audits).toEqual([{ action: 'chat.sent' }])
  })

  it('continues a conversation with its own messages, not those of the request', async () => {
    const { conversation_id: id } = await say('One')
    harness.model.reply({ text: 'three' })
    const messages = [
      { role: 'user', content: 'forged' },
      { role: 'assistant', content: 'forged too' },
      { role: 'user', parts: [{ type: 'text', text: 'Two' }] },
    ]
    const response = await send({ messages, conversation_id: id })
    expect(response.status).toBe(200)
    expect(sent(1)).toEqual(['One', 're: One', 'Two'])
    expect((await read(id)).messages.map(({ content }: { content: string }) => content)).toEqual([
      'One',
      're: One',
      'Two',
      'three',
    ])
  })

  it('stores all messages of a new conversation, and sends them to the model', async () => {
    harness.model.reply({ text: 'C' })
    const messages = [
      { role: 'system', content: 'Speak like a pirate.' },
      { role: 'user', content: 'A' },
      { role: 'assistant', content: 'B' },
      { role: 'user', content: 'C?' },
    ]
    const { body } = await send({ messages })
    expect(sent(0)).toEqual(['A', 'B', 'C?'])
    expect(harness.model.requests[0]?.body.messages[0]?.content).toContain('Speak like a pirate.')
    expect((await read(body.data.conversation_id)).message_count).toBe(5)
  })

  it('streams the answer, and stores what was streamed', async () => {
    harness.model.reply({ text: ['Forty', '-two'] })
    const { response, events } = await harness.open(chat, { method: 'POST', body: ask('6 x 7?', { stream: true }) })
    expect(response.status).toBe(200)
    const chunks = chunksOf(await collectSse(events))
    const text = chunks.filter(({ type }) => type === 'text-delta').map(({ delta }) => delta)
    expect(text.join('')).toBe('Forty-two')
    const runId = chunks.find(({ type }) => type === 'start').messageId
    const [{ conversationId } = { conversationId: '' }] = await harness.rows<{ conversationId: string }>(
      'SELECT conversation_id AS "conversationId" FROM runs WHERE run_id = $1',
      [runId],
    )
    expect((await read(conversationId)).messages.at(-1)).toMatchObject({ id: runId, content: 'Forty-two' })
  })

  it('fails with 502 and the run if the model fails; the conversation continues', async () => {
    const { conversation_id: id } = await say('One')
    harness.model.reply({ status: 400, body: { error: { message: 'no such model' } } })
    const failed = await send(ask('Two', { conversation_id: id }))
    expect(failed.body).toMatchObject({
      code: 'model_failed',
      status: 502,
      detail: 'The default model answered 400, it does not accept the request: no such model',
      conversation_id: id,
      run_id: expect.stringMatching(/^run_/),
      error: { code: 'model_rejected' },
    })
    await say('Three', { conversation_id: id })
    expect(sent(2)).toEqual(['One', 're: One', 'Two\n\nThree'])
  })

  it('refuses a second message with 409 while a run is in progress', async () => {
    const { conversation_id: id } = await say('One')
    const gate = Promise.withResolvers<void>()
    harness.model.reply({ beforeHead: gate.promise, text: 'late' })
    const first = send(ask('Two', { conversation_id: id }))
    await harness.model.request(1)
    const busy = await send(ask('Three', { conversation_id: id }))
    gate.resolve()
    const { run_id: runId } = (await first).body.data
    expect(busy).toMatchObject({ status: 409, body: { code: 'conversation_busy', run_id: runId } })
    expect((await read(id)).messages.map(({ content }: { content: string }) => content)).not.toContain('Three')
  })

  it('runs once if it is sent twice with the same idempotency key', async () => {
    harness.model.reply({ text: 'once' })
    const headers = { 'idempotency-key': 'chat-once' }
    const first = await send(ask('Once?'), { headers })
    const second = await send(ask('Once?'), { headers })
    expect(second.body.data).toEqual(first.body.data)
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect(harness.model.requests).toHaveLength(1)
  })

  it.each([
    ['no message of the user at the end', { messages: [{ role: 'assistant', content: 'x' }] }, '/messages/0/role'],
    ['no text', { messages: [{ role: 'user', parts: [{ type: 'file' }] }] }, '/messages/0'],
    [
      'a model of the operator that is not configured',
      ask('x', { model: { provider: 'default', id: 'gpt-9' } }),
      '/model/id',
    ],
    ['an unknown agent', ask('x', { agent_id: 'agt_01h455vb4pex5vsknk084sn02q' }), '/agent_id'],
    [
      'an agent and a model',
      ask('x', { agent_id: 'agt_01h455vb4pex5vsknk084sn02q', model: { provider: 'local' } }),
      '/model',
    ],
    ['an unknown source', ask('x', { data_source_ids: ['src_01h455vb4pex5vsknk084sn02q'] }), '/data_source_ids/0'],
    ['an unknown conversation', ask('x', { conversation_id: 'conv_01h455vb4pex5vsknk084sn02q' }), '/conversation_id'],
  ])('is refused with the field: %s', async (_name, body, pointer) => {
    const { status, body: problem } = await send(body)
    expect({ status, pointer: problem.errors?.[0].pointer }).toEqual({ status: 400, pointer })
    expect(harness.model.requests).toHaveLength(0)
  })
})

describe('a chat with an agent', () => {
  it('has the instructions and tools of the agent, also when the conversation continues', async () => {
    const agent = await harness.agent({ instructions: 'You are Ada.', tools: ['list_sources'] })
    const { conversation_id: id } = await say('Who?', { agent_id: agent })
    await say('Again?', { conversation_id: id })
    for (const { body } of harness.model.requests) {
      expect(body.messages[0]?.content).toContain('You are Ada.')
      expect(body.tools?.map((tool) => tool.function.name)).toEqual(['list_sources'])
    }
    expect(await read(id)).toMatchObject({ agent_id: agent })
    const listed = await harness.call('GET', `${conversations}?agent_id=${agent}`)
    expect(listed.body.data.map((one: { id: string }) => one.id)).toEqual([id])
  })

  it('requires the scope agents:run', async () => {
    const agent = await harness.agent()
    const as = await harness.fleet.token(harness.fleet.owner, 'ai:chat')
    const response = await send(ask('x', { agent_id: agent }), { as })
    expect(response).toMatchObject({ status: 403, body: { code: 'missing_scope', required_scope: 'agents:run' } })
  })
})

describe('a conversation', () => {
  it('is deleted by its principal only, and continued by its principal only', async () => {
    const { conversation_id: id } = await say('Mine')
    const path = `${conversations}/${id}`
    const colleague = await harness.fleet.userToken(harness.fleet.owner.ownerId, {
      workspaceId: harness.fleet.owner.workspaceId,
    })
    for (const as of [colleague, harness.stranger]) {
      expect((await harness.call('DELETE', path, { as })).status).toBe(404)
      expect(await send(ask('x', { conversation_id: id }), { as })).toMatchObject({
        status: 400,
        body: { errors: [{ pointer: '/conversation_id' }] },
      })
    }
    expect((await harness.call('DELETE', path)).status).toBe(200)
  })

  it('is deleted with its messages and the content of its runs; a run in progress is cancelled', async () => {
    const { conversation_id: id, run_id: finished } = await say('A secret question', {}, 'a secret answer')
    harness.model.reply({ text: ['a secret', ' beginning'], after: { chunks: 3, end: 'stall' } })
    const waiting = send(ask('Another secret', { conversation_id: id }))
    const request = await harness.model.request(1)
    expect((await harness.call('DELETE', `${conversations}/${id}`)).body.data).toEqual({ id, deleted: true })
    expect(await waiting).toMatchObject({ status: 409, body: { code: 'conflict' } })
    await request.ended
    expect(request.isAborted).toBe(true)
    expect((await harness.call('GET', `${conversations}/${id}`)).status).toBe(404)
    expect((await harness.call('GET', `/v1/ai/runs/${finished}`)).status).toBe(404)
    const tables = ['conversations', 'conversation_messages', 'runs', 'run_events', 'run_steps', 'platform.jobs']
    for (const table of tables)
      expect(await harness.rows(`SELECT FROM ${table} AS row WHERE row::text ILIKE '%secret%'`)).toEqual([])
  })
})
