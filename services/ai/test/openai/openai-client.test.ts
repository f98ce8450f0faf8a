import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { findPythonClients } from '@wp/testkit'
import { generateText } from 'ai'
import OpenAI, { type APIError } from 'openai'
import { type RunHarness, startRunHarness } from '../fixture/run-harness.ts'

let harness: RunHarness
let client: OpenAI
let key: string
beforeAll(async () => {
  harness = await startRunHarness()
  key = await createKey(['ai:chat', 'agents:run', 'agents:read', 'data:read'])
  client = clientOf(key)
})
afterEach(() => harness.model.reset())
afterAll(() => harness?.stop())

const baseURL = () => `${harness.fleet.baseUrl}/v1/ai/openai`
const clientOf = (apiKey: string) => new OpenAI({ baseURL: baseURL(), apiKey, maxRetries: 0 })
const createKey = async (scopes: string[]): Promise<string> =>
  (await harness.call('POST', '/v1/auth/api-key', { body: { name: 'program', scopes } })).body.data.api_key
const question = { role: 'user' as const, content: 'How many?' }
const weather = {
  type: 'function' as const,
  function: {
    name: 'weather',
    description: 'Reads the weather of a city',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
}

describe('the client of OpenAI', () => {
  it('lists agents and models, and talks to an agent with its instructions and tools', async () => {
    const agent = await harness.agent({ instructions: 'Count for the facility team.', tools: ['list_sources'] })
    const listed = await client.models.list()
    expect(listed.data.map(({ id }) => id)).toEqual(expect.arrayContaining([agent, 'local', 'default']))
    for (const id of [agent, 'local']) {
      const entry = listed.data.find((model) => model.id === id)
      expect(await client.models.retrieve(id)).toEqual(entry)
    }
    await expect(client.models.retrieve('gpt-4o')).rejects.toMatchObject({ status: 404, code: 'not_found' })
    harness.model.reply({ toolCalls: [{ name: 'list_sources', input: {} }] }, { text: 'Twelve.', usage: [20, 3] })
    const messages = [{ role: 'system' as const, content: 'Be brief.' }, question]
    const answer = await client.chat.completions.create({ model: agent, messages, temperature: 0.5, max_tokens: 90 })
    expect(answer.choices).toEqual([
      {
        index: 0,
        logprobs: null,
        finish_reason: 'stop',
        message: { role: 'assistant', content: 'Twelve.', refusal: null },
      },
    ])
    expect(answer.usage).toEqual({ prompt_tokens: 27, completion_tokens: 8, total_tokens: 35 })
    const [{ body } = { body: undefined }] = harness.model.requests
    expect(body).toMatchObject({ temperature: 0.5, max_tokens: 90 })
    expect(body?.messages[0]?.content).toContain('Count for the facility team.\n\nBe brief.')
  })

  it('reads a streamed answer with its use', async () => {
    harness.model.reply({ text: ['One', ' and', ' two.'] })
    const stream = await client.chat.completions.create({
      model: 'default',
      messages: [question],
      stream: true,
      stream_options: { include_usage: true },
    })
    let text = ''
    let last: OpenAI.ChatCompletionChunk | undefined
    const reasons: unknown[] = []
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? ''
      if (chunk.choices[0]?.finish_reason) reasons.push(chunk.choices[0].finish_reason)
      last = chunk
    }
    expect([text, reasons, last?.usage]).toEqual([
      'One and two.',
      ['stop'],
      { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12 },
    ])
  })

  it('calls functions of its own, and sends their results back', async () => {
    const agent = await harness.agent({ tools: ['list_sources'] })
    harness.model.reply({ text: 'I look.', toolCalls: [{ name: 'weather', input: { city: 'Bonn' } }] })
    const first = await client.chat.completions.create({ model: agent, messages: [question], tools: [weather] })
    const [{ message, finish_reason: reason } = { message: undefined, finish_reason: undefined }] = first.choices
    expect(reason).toBe('tool_calls')
    expect(message?.tool_calls).toMatchObject([{ function: { name: 'weather', arguments: '{"city":"Bonn"}' } }])
    if (message?.tool_calls === undefined) throw new Error('no call was made')
    const [call] = message.tool_calls
    harness.model.reply({ text: 'It rains.' })
    const result = { role: 'tool' as const, tool_call_id: call?.id ?? '', content: '{"rain": true}' }
    const messages = [question, message, result]
    const second = await client.chat.completions.create({ model: agent, messages, tools: [weather] })
    expect(second.choices[0]?.message.content).toBe('It rains.')
    expect(harness.model.requests[1]?.body.messages.slice(-3)).toMatchObject([
      { role: 'user', content: 'How many?' },
      { role: 'assistant', content: 'I look.', tool_calls: [{ id: call?.id, function: { name: 'weather' } }] },
      { role: 'tool', tool_call_id: call?.id, content: '{"rain": true}' },
    ])
  })

  it('reads what is wrong: an unknown model, a parameter that would change the answer, a missing scope, a failed model', async () => {
    const refusal = async (body: object, as = client): Promise<APIError> => {
      const request = {
        model: 'default',
        messages: [question],
        ...body,
      } as OpenAI.ChatCompletionCreateParamsNonStreaming
      return as.chat.completions.create(request).then(
        () => Promise.reject(new Error('it was answered')),
        (error: APIError) => error,
      )
    }
    const unknown = 'agt_01h455vb4pex5vsknk084sn02q'
    expect(await refusal({ model: unknown })).toMatchObject({ status: 400, code: 'unknown_reference', param: '/model' })
    expect(await refusal({ model: 'gpt-4o' })).toMatchObject({ status: 400, param: '/model' })
    const several = await refusal({ n: 2 })
    expect([several.status, several.message]).toEqual([
      400,
      expect.stringContaining('/n: must be 1: one answer is written'),
    ])
    expect(await refusal({ response_format: { type: 'json_object' } })).toMatchObject({
      param: '/response_format/type',
    })
    const lonely = clientOf(await createKey(['ai:chat']))
    expect(await refusal({ model: await harness.agent() }, lonely)).toMatchObject({
      status: 403,
      code: 'missing_scope',
    })
    harness.model.reply({ status: 500, body: { error: { message: 'Out of order' } } })
    expect((await refusal({})).message).toContain('model')
    await expect(
      clientOf('key_local.DEV.x').chat.completions.create({ model: 'local', messages: [question] }),
    ).rejects.toMatchObject({
      status: 401,
      code: 'invalid_credential',
    })
    const send = async (path: string, body: string, method = 'POST') => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      const response = await fetch(`${baseURL()}/${path}`, { method, headers, body })
      return ((await response.json()) as { error: unknown }).error // the body of an error
    }
    for (const [path, body, code] of [
      ['chat/completions', '{"model":', 'malformed_body'],
      ['chat/completions', '[]', 'validation_failed'],
      ['embeddings', '{}', 'not_found'],
      ['models', '{}', 'method_not_allowed'],
    ] as const)
      expect(await send(path, body)).toMatchObject({ code, type: 'invalid_request_error', message: expect.any(String) })
  })
})

it('the OpenAI-compatible provider of the AI SDK answers with an agent', async () => {
  const agent = await harness.agent()
  harness.model.reply({ text: ['Twelve', '.'] })
  const provider = createOpenAICompatible({ name: 'workspace', baseURL: baseURL(), apiKey: key })
  const { text, usage } = await generateText({ model: provider(agent), prompt: 'How many?', maxRetries: 0 })
  expect([text, usage.outputTokens]).toEqual(['Twelve.', 5])
})

it('a key as bearer is accepted for these addresses alone', async () => {
  const response = await fetch(`${harness.fleet.baseUrl}/v1/ai/models`, { headers: { authorization: `Bearer ${key}` } })
  expect(response.status).toBe(401)
})

const python = findPythonClients() ?? ''
const [test, reason] = python === '' ? [it.skip, ' (skipped: not installed, see npm run clients)'] : [it, '']

test(`openai for Python reads answers, streams, calls and errors${reason}`, async () => {
  const agent = await harness.agent()
  const spent = await harness.agent({ budget: { runs_per_day: 1 } })
  harness.model.reply({ text: 'Twelve.' })
  await harness.run(spent)
  harness.model.reply({ text: 'Twelve.', usage: [20, 3] }, { text: ['One', ' and', ' two.'] })
  const call = { toolCalls: [{ name: 'weather', input: { city: 'Bonn' } }] }
  harness.model.reply(call, { text: 'It rains.' }, call)
  const failure = { status: 400, body: { error: { message: 'Out of order' } } }
  harness.model.reply(failure, failure)
  const env = {
    ...process.env,
    BASE_URL: baseURL(),
    MODEL: agent,
    SPENT_AGENT: spent,
    API_KEY: await createKey(['ai:chat', 'agents:run', 'agents:read']),
    NARROW_KEY: await createKey(['ai:chat']),
  }
  const script = join(import.meta.dirname, 'openai_client.py')
  const { stdout } = await promisify(execFile)(python, [script], { env })
  expect(JSON.parse(stdout)).toEqual({
    models: expect.arrayContaining([agent, 'local', 'default']),
    plain: ['Twelve.', 'stop', 23],
    streamed: ['One and two.', 7, 5],
    tools: ['tool_calls', 'weather', '{"city":"Bonn"}', 'It rains.'],
    streamed_tools: ['tool_calls', 'weather', '{"city":"Bonn"}'],
    failed_model: ['InternalServerError', 502, 'model_failed', null],
    failed_stream: ['APIError', expect.stringContaining('model')],
    bad_key: ['AuthenticationError', 401, 'invalid_credential', null],
    no_scope: ['PermissionDeniedError', 403, 'missing_scope', null],
    unknown_model: ['BadRequestError', 400, 'unknown_reference', '/model'],
    bad_parameter: ['BadRequestError', 400, 'validation_failed', '/n'],
    spent_budget: ['PermissionDeniedError', 403, 'quota_exceeded', null],
  })
})
