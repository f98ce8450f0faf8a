import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { createOutbound } from '@wp/outbound'
import { requestEmbeddings } from '../../src/embeddings/request-embeddings.ts'
import { type EmbeddingServer, startEmbeddingServer } from '../support/embedding-server.ts'

/** A whole second, because HTTP dates have no fraction. */
const nowMs = Date.UTC(2026, 0, 5, 9)

describe('requestEmbeddings', () => {
  let server: EmbeddingServer
  const outbound = createOutbound({ allowCidrs: ['127.0.0.0/8'] })
  beforeAll(async () => {
    server = await startEmbeddingServer()
  })
  afterAll(async () => {
    outbound.close()
    await server.close()
  })
  afterEach(() => {
    server.override = () => undefined
    server.embed = (text) => [text.length, 0]
  })

  const request = (inputs: string[], endpoint = {}, timeoutMs = 2_000, role = {}) =>
    requestEmbeddings(
      { outbound, protocols: ['http:'] },
      { baseUrl: server.url, apiKey: 'sk', model: 'tiny', dimensions: undefined, ...endpoint },
      inputs,
      { role: { prefix: '', inputType: undefined, ...role }, timeoutMs, now: () => nowMs },
    )

  it('returns vectors of length 1 in the order of the texts', async () => {
    server.embed = (text) => (text === 'one' ? [3, 4] : [0, 2])
    expect(await request(['one', 'two'])).toEqual([Float32Array.of(0.6, 0.8), Float32Array.of(0, 1)])
    expect(server.requests.at(-1)).toMatchObject({ model: 'tiny', authorization: 'Bearer sk' })
  })

  it('sends the dimensions, and no authorization without a key', async () => {
    server.embed = () => [1, 2, 2]
    expect(await request(['one'], { dimensions: 3, apiKey: undefined })).toHaveLength(1)
    expect(server.requests.at(-1)).toMatchObject({ dimensions: 3 })
    expect(server.requests.at(-1)?.authorization).toBeUndefined()
  })

  it('sends the prefix before each text, and the input type if there is one', async () => {
    await request(['one', 'two'], {}, 2_000, { prefix: 'passage: ', inputType: 'passage' })
    expect(server.requests.at(-1)).toMatchObject({ input: ['passage: one', 'passage: two'], input_type: 'passage' })
    await request(['one'])
    expect(server.requests.at(-1)?.input).toEqual(['one'])
    expect(server.requests.at(-1)).not.toHaveProperty('input_type')
  })

  it('takes a 500 for a text that is too long for a refusal', async () => {
    const message = 'input is too large to process. increase the physical batch size'
    server.override = () => ({ status: 500, message })
    await expect(request(['one'])).rejects.toMatchObject({ kind: 'refused' })
  })

  it.each([
    [401, 'unauthorized'],
    [403, 'unauthorized'],
    [400, 'refused'],
    [413, 'refused'],
    [422, 'refused'],
    [429, 'unavailable'],
    [500, 'unavailable'],
    [404, 'unusable'],
    [302, 'unusable'],
  ])('maps status %d to %s', async (status, kind) => {
    server.override = () => ({ status, headers: { location: `${server.url}/embeddings` } })
    await expect(request(['one'])).rejects.toMatchObject({ name: 'EmbeddingFailure', kind })
  })

  it.each([
    ['7', 7_000],
    [new Date(nowMs + 60_000).toUTCString(), 60_000],
    [new Date(nowMs - 60_000).toUTCString(), 0],
    ['soon', undefined],
  ])('parses the Retry-After header `%s`', async (header, retryAfterMs) => {
    server.override = () => ({ status: 429, headers: { 'retry-after': header } })
    await expect(request(['one'])).rejects.toMatchObject({ retryAfterMs })
  })

  it('fails as unusable when vectors have the wrong size or length 0', async () => {
    server.embed = (text) => (text === 'one' ? [1, 2] : [1, 2, 3])
    await expect(request(['one', 'two'])).rejects.toMatchObject({
      kind: 'unusable',
      message: expect.stringContaining('3 dim'),
    })
    await expect(request(['one'], { dimensions: 3 })).rejects.toMatchObject({ kind: 'unusable' })
    server.embed = () => [0, 0]
    await expect(request(['one'])).rejects.toMatchObject({ kind: 'unusable' })
    server.embed = () => []
    await expect(request(['one'])).rejects.toMatchObject({ kind: 'unusable' })
  })

  it.each<[string, unknown]>([
    ['no JSON', 'no JSON'],
    ['no data', {}],
    ['no embedding', { data: [] }],
    ['too many embeddings', { data: [{ embedding: [1] }, { embedding: [1] }] }],
    ['a wrong index', { data: [{ index: 1, embedding: [1] }] }],
    ['text instead of numbers', { data: [{ embedding: ['1'] }] }],
    ['3 MB of zeros', `{"data":[${'0,'.repeat(1_500_000)}0]}`],
    ['an embedding of zeros', `{"data":[{"embedding":[${'0,'.repeat(50_000)}0]}]}`],
    ['an embedding of empty arrays', `{"data":[{"embedding":[${'[],'.repeat(4_000)}[]]}]}`],
    ['16 MiB', `{"data":[{"embedding":[1]}],"padding":"${' '.repeat(16 * 1024 * 1024)}"}`],
    ['deep nesting', `{"data":${'['.repeat(60_000)}${']'.repeat(60_000)}}`],
    ['many members', `{${Array.from({ length: 10_000 }, (_, nth) => `"${nth}":0`).join()},"data":[{"embedding":[1]}]}`],
  ])('fails as unusable when the response has %s', async (_what, body) => {
    const malformed = createServer((_request, response) =>
      response.end(typeof body === 'string' ? body : JSON.stringify(body)),
    )
    await once(malformed.listen(0, '127.0.0.1'), 'listening')
    const { port } = malformed.address() as AddressInfo // a listening TCP server has such an address
    await expect(request(['one'], { baseUrl: `http://127.0.0.1:${port}` })).rejects.toMatchObject({ kind: 'unusable' })
    malformed.closeAllConnections()
    malformed.close()
  })

  it('accepts vectors of the maximum size', async () => {
    server.embed = () => Array.from({ length: 4_096 }, (_, nth) => -1.234567890123456e-21 * (nth + 1))
    const texts = Array.from({ length: 64 }, (_, nth) => `text ${nth}`)
    expect((await request(texts, {}, 20_000)).map(({ length }) => length)).toEqual(texts.map(() => 4_096))
  })

  it('fails as unavailable when the server does not respond in time', async () => {
    server.override = () => 'silence'
    await expect(request(['one'], {}, 50)).rejects.toMatchObject({ kind: 'unavailable' })
  })

  it('fails as unusable when the address is not public', async () => {
    const strict = createOutbound({})
    const rejected = requestEmbeddings(
      { outbound: strict, protocols: ['http:'] },
      { baseUrl: server.url, apiKey: undefined, model: 'tiny', dimensions: undefined },
      ['one'],
      { role: { prefix: '', inputType: undefined }, timeoutMs: 2_000, now: () => nowMs },
    )
    await expect(rejected).rejects.toMatchObject({ kind: 'unusable' })
    strict.close()
  })
})
