import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type HttpAnswer, type HttpServer, startHttpServer } from './fixture/http-server.ts'
import { type LimitedHeap, startLimitedHeap } from './fixture/limited-heap.ts'

let server: HttpServer
let heap: LimitedHeap
let answer: HttpAnswer = {}
beforeAll(async () => {
  heap = startLimitedHeap()
  server = await startHttpServer((request) => (request.url.pathname === '/ok/models' ? { body: { data: [] } } : answer))
})
afterAll(async () => {
  await heap.stop()
  await server.close()
})

const maxBytes = 1_048_576
const repeat = (text: string) => text.repeat(Math.floor((maxBytes - 100) / text.length))
const list = (element: string) => repeat(`${element},`).slice(0, -1)
/** Answers of the largest size that is read. */
const answers: [string, string][] = [
  ['zeros in place of models', `{"data":[${list('0')}]}`],
  ['models without a name', `{"data":[${list('{}')}]}`],
  ['zeros', `[${list('0')}]`],
  ['zeros in place of an embedding', `{"data":[{"embedding":[${list('"0"')}]}]}`],
  ['zeros in place of embeddings', `{"data":[${list('0')}]}`],
  ['deep nesting', '['.repeat(500_000) + ']'.repeat(500_000)],
  ['deep nesting in a member', `{"data":${'['.repeat(500_000)}${']'.repeat(500_000)}}`],
  ['very many keys', `{${Array.from({ length: 80_000 }, (_, nth) => `"${nth}":0`).join()}}`],
  ['an endless line', repeat('a')],
  ['more than is read', `{"data":[${'0,'.repeat(4_000_000)}0]}`],
]

describe('a connection test', () => {
  it.each(answers)('fails without using much memory when the provider sends %s', async (_what, body) => {
    answer = { body, headers: { 'content-type': 'application/json' } }
    const failure = { code: 'protocol', message: expect.any(String) }
    const base = (path: string) => ({ base_url: `${server.url}/${path}`, embedding_model: 'small' })
    expect(await heap.test({ provider: 'openai_compatible', config: base('any') })).toEqual(failure)
    expect(await heap.test({ provider: 'openai_compatible', config: base('ok') })).toEqual(failure)
    expect(await heap.test({ provider: 'mcp_server', config: { url: server.url } })).toEqual(failure)
  })
})
