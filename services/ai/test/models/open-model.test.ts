import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { createOutbound } from '@wp/outbound'
import { type ModelServer, startModelServer } from '@wp/testkit'
import { createProviderModel } from '../../src/models/open-model.ts'
import { createModelTransports } from '../../src/models/transport.ts'

const prompt: LanguageModelV4CallOptions['prompt'] = [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }]
const outbound = createOutbound({ allowCidrs: ['127.0.0.0/8'] })
const limits = { protocols: ['http:'] as const, stallMs: 60_000 }
const transports = createModelTransports(outbound, limits)
const impatient = createModelTransports(outbound, { ...limits, stallMs: 100 })
let server: ModelServer

beforeAll(async () => {
  server = await startModelServer({ apiKey: 'sk-secret' })
})
beforeEach(() => server.reset())
afterAll(async () => {
  await Promise.all([server.close(), transports.close(), impatient.close()])
  outbound.close()
})

interface Opened {
  transport?: 'guarded' | 'direct'
  apiKey?: string
  stalls?: boolean
}

/** A model with the pauses it made between its requests, and the statuses it reported. */
function open({ transport = 'guarded', apiKey = 'sk-secret', stalls = false }: Opened = {}) {
  const pauses: number[] = []
  const statuses: (number | undefined)[] = []
  const model = createProviderModel({
    name: 'The provider',
    baseUrl: server.url,
    apiKey,
    modelId: 'test-model',
    transport: (stalls ? impatient : transports)[transport],
    onResponse: (status) => void statuses.push(status),
    pause: async (ms) => void pauses.push(ms),
    now: () => Date.parse('2026-01-05T00:00:00Z'),
  })
  return { model, pauses, statuses }
}

async function read(stream: ReadableStream<LanguageModelV4StreamPart>): Promise<LanguageModelV4StreamPart[]> {
  const parts: LanguageModelV4StreamPart[] = []
  for await (const part of stream) parts.push(part)
  return parts
}

const textOf = (parts: readonly LanguageModelV4StreamPart[]) =>
  parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).join('')

/** Runs a call to its end. @returns the error it ends with */
async function failure({ model }: ReturnType<typeof open>, call: Partial<LanguageModelV4CallOptions> = {}) {
  try {
    const parts = await read((await model.doStream({ prompt, ...call })).stream)
    const part = parts.find(({ type }) => type === 'error')
    return part?.type === 'error' ? part.error : undefined
  } catch (error) {
    return error
  }
}

const jobError = (code: string, message: string) => ({ error: { code, message, retryable: false } })

describe.each(['guarded', 'direct'] as const)('a provider model over the %s transport', (transport) => {
  test('streams text, tool calls and usage', async () => {
    server.reply({ text: ['Hel', 'lo'], toolCalls: [{ name: 'search_data', input: { query: 'x' } }], usage: [11, 3] })
    const { model } = open({ transport })
    const tools = [{ type: 'function' as const, name: 'search_data', inputSchema: { type: 'object' as const } }]
    const parts = await read((await model.doStream({ prompt, tools, temperature: 0.5, maxOutputTokens: 99 })).stream)
    expect(textOf(parts)).toBe('Hello')
    expect(parts).toContainEqual(
      expect.objectContaining({ type: 'tool-call', toolName: 'search_data', input: '{"query":"x"}' }),
    )
    expect(parts.at(-1)).toMatchObject({
      type: 'finish',
      finishReason: { unified: 'tool-calls' },
      usage: { inputTokens: { total: 11 }, outputTokens: { total: 3 } },
    })
    expect(server.requests[0]).toMatchObject({
      headers: { authorization: 'Bearer sk-secret', 'user-agent': 'workspace-platform' },
      body: { model: 'test-model', stream: true, temperature: 0.5, max_tokens: 99, tools: [{ type: 'function' }] },
    })
  })

  test('answers without a stream, and without usage where the provider reports none', async () => {
    server.reply({ text: 'Hello', usage: null })
    const result = await open({ transport }).model.doGenerate({ prompt })
    expect(result.content).toEqual([{ type: 'text', text: 'Hello' }])
    expect(result.usage.inputTokens.total).toBeUndefined()
  })

  test('fails with model_unavailable when the stream is cut', async () => {
    server.reply({ text: ['one', 'two'], after: { chunks: 2, end: 'cut' } })
    expect(await failure(open({ transport }))).toMatchObject({ error: { code: 'model_unavailable' } })
    expect(server.requests).toHaveLength(1)
  })

  test('fails with model_unavailable when the provider stalls', async () => {
    server.reply({ text: ['one', 'two'], after: { chunks: 2, end: 'stall' } })
    expect(await failure(open({ transport, stalls: true }))).toMatchObject({
      error: { code: 'model_unavailable', message: expect.stringContaining('stalled') },
    })
    await server.requests[0]?.ended
    expect(server.requests[0]?.isAborted).toBe(true)
  })

  test.each(['before the response', 'in the stream'])('closes the connection when it is aborted %s', async (when) => {
    const abort = new AbortController()
    const never = new Promise<never>(() => undefined)
    const isEarly = when === 'before the response'
    server.reply(isEarly ? { beforeHead: never } : { text: ['one', 'two'], after: { chunks: 2, end: 'stall' } })
    const reason = new Error('cancelled by the test')
    const ended = failure(open({ transport }), { abortSignal: abort.signal })
    const request = await server.request(0)
    abort.abort(reason)
    expect(await ended).toBe(reason)
    await request.ended
    expect(request.isAborted).toBe(true)
  })

  test('follows no redirects', async () => {
    server.reply({ status: 307, headers: { location: `${server.url}/chat/completions` } })
    expect(await failure(open({ transport }))).toMatchObject(
      jobError('model_rejected', 'The provider answered 307, redirects are not followed: scripted status 307'),
    )
    expect(server.requests).toHaveLength(1)
  })
})

test('removes the key from an error that is reported in the stream', async () => {
  server.reply({ stream: `data: ${JSON.stringify({ error: { message: 'the key sk\\u002dsecret is blocked' } })}\n\n` })
  expect(await failure(open())).toMatchObject(
    jobError('model_unavailable', 'The provider reported an error: the key [secret] is blocked'),
  )
})

test.each([
  [401, 'model_rejected', 'The provider answered 401, it rejects the credentials'],
  [
    400,
    'model_rejected',
    'The provider answered 400, it does not accept the request: the model [secret]sk, is too old',
  ],
  [
    404,
    'model_rejected',
    'The provider answered 404, it does not know the address or the model: the model [secret]sk, is too old',
  ],
])('a rejected request is not repeated: %i', async (status, code, message) => {
  server.reply({ status, body: { error: { message: 'the model sk-secretsk, is too old' } } })
  const opened = open()
  expect(await failure(opened)).toMatchObject(jobError(code, message))
  expect(opened.statuses).toEqual([status])
})

test('wrong credentials are reported and not repeated', async () => {
  const opened = open({ apiKey: 'sk-wrong' })
  expect(await failure(opened)).toMatchObject(
    jobError('model_rejected', 'The provider answered 401, it rejects the credentials'),
  )
  expect(opened.statuses).toEqual([401])
})

test.each([
  ['seconds', '7', 7_000],
  ['a date', 'Mon, 05 Jan 2026 00:00:09 GMT', 9_000],
])('a limited request is repeated after the pause in Retry-After, in %s', async (_unit, retryAfter, pauseMs) => {
  server.reply({ status: 429, headers: { 'retry-after': retryAfter } }, { text: 'Hello' })
  const opened = open()
  expect(textOf(await read((await opened.model.doStream({ prompt })).stream))).toBe('Hello')
  expect(opened.pauses).toEqual([pauseMs])
  expect(opened.statuses).toEqual([429, 200])
})

test('a request is repeated twice at most, with growing pauses', async () => {
  server.replyAlways({ status: 500, body: 'broken' })
  const opened = open()
  expect(await failure(opened)).toMatchObject(jobError('model_unavailable', 'The provider answered 500, it failed'))
  expect(server.requests).toHaveLength(3)
  expect(opened.pauses).toHaveLength(2)
  expect(opened.pauses.every((ms, index) => ms >= 250 * 2 ** index && ms <= 500 * 2 ** index)).toBe(true)
})

test('a pause that is too long fails the request at once', async () => {
  server.reply({ status: 429, headers: { 'retry-after': '3600' } })
  const opened = open()
  expect(await failure(opened)).toMatchObject({ error: { code: 'model_unavailable' } })
  expect(opened.pauses).toEqual([])
})

test('nothing is repeated after the response has begun', async () => {
  server.reply({ text: [], after: { chunks: 0, end: 'cut' } }, { text: 'second' })
  expect(await failure(open())).toMatchObject({ error: { code: 'model_unavailable' } })
  expect(server.requests).toHaveLength(1)
})

test.each([
  ['no JSON', 'not json', 'sent an invalid or incomplete response'],
  ['an error in the stream', 'data: {"error":{"message":"overloaded"}}\n\n', 'reported an error: overloaded'],
  ['a stream without an end', 'data: {"choices":[{"delta":{"content":"x"}}]}\n\n', 'sent an invalid or incomplete'],
])('an invalid response fails with model_unavailable: %s', async (_name, body, message) => {
  server.reply({ body, headers: { 'content-type': 'text/event-stream' } })
  expect(await failure(open())).toMatchObject({
    error: { code: 'model_unavailable', message: expect.stringContaining(message) },
  })
})

test('a private address of a user is rejected without its address in the message', async () => {
  const guarded = createOutbound()
  const { guarded: transport, close } = createModelTransports(guarded, limits)
  const model = createProviderModel({
    name: 'The provider',
    baseUrl: server.url,
    apiKey: 'sk-secret',
    modelId: 'm',
    transport,
    pause: async () => undefined,
    now: Date.now,
  })
  const error = await model.doGenerate({ prompt }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toMatchObject({ error: { code: 'model_rejected' } })
  expect(server.requests).toHaveLength(0)
  guarded.close()
  await close()
})
