import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { endpoint, listQuery, problem } from '@wp/contracts'
import { createTestCaller } from '@wp/testkit'
import { z } from 'zod'
import { createInternalCalls, type InternalCalls } from '../src/index.ts'

const find = endpoint({
  id: 'data.find',
  method: 'GET',
  path: '/v1/data/find',
  summary: 'Find',
  query: listQuery({}),
  list: z.string(),
  meta: z.object({ total: z.number() }),
  errors: ['search_timeout'],
})
const request = { params: {}, query: {}, body: undefined }
const caller = { ...createTestCaller('ws_01h455vb4pex5vsknk084sn02q'), requestId: 'req-1' }

let respond: (request: IncomingMessage, response: ServerResponse) => void
let calls: InternalCalls
let close: () => Promise<void>
beforeEach(async () => {
  const server = createServer((request, response) => respond(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  calls = createInternalCalls({
    signer: { issuer: 'mcp', sign: async () => 'assertion' },
    upstreams: { addressOf: () => `http://127.0.0.1:${port}` },
    shard: 'test',
    location: 'TST',
  })
  close = async () => {
    server.closeAllConnections()
    await calls.close()
    server.close()
  }
})
afterEach(() => close())

const respondWith = (status: number, body: unknown) => {
  respond = (_request, response) => response.writeHead(status).end(JSON.stringify(body))
}

describe('a call of another service', () => {
  it('returns the page of a list with its meta', async () => {
    const pagination = { next_cursor: 'next', has_more: true }
    respondWith(200, { success: true, data: ['a'], pagination, meta: { total: 1 } })
    expect(await calls.call(find, caller, request)).toEqual({ items: ['a'], nextCursor: 'next', meta: { total: 1 } })
  })

  it('passes on an error that the endpoint declares, whatever its status', async () => {
    respondWith(503, { code: 'search_timeout', detail: 'too slow' })
    const expected = problem('search_timeout', { detail: 'too slow' })
    await expect(calls.call(find, caller, request)).rejects.toMatchObject({ code: expected.code, detail: 'too slow' })
  })

  it('hides any other error of the service', async () => {
    respondWith(503, { code: 'embeddings_unavailable', detail: 'of another endpoint' })
    await expect(calls.call(find, caller, request)).rejects.toMatchObject({ code: 'service_unavailable' })
    respondWith(500, { code: 'internal_error', detail: 'secret' })
    await expect(calls.call(find, caller, request)).rejects.toMatchObject({ code: 'bad_gateway' })
  })

  it('closes its connection and rejects with the reason when its signal is aborted', async () => {
    const cancel = new AbortController()
    const closed = new Promise<void>((resolve) => {
      respond = (_request, response) => {
        response.once('close', resolve)
        cancel.abort(new Error('the client left'))
      }
    })
    await expect(calls.call(find, caller, request, { signal: cancel.signal })).rejects.toThrow('the client left')
    await closed
  })
})
