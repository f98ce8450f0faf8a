import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { maxBodyBytes } from '@wp/service'
import { eventually, startTestService, type TestService } from '@wp/testkit'
import { definition } from '../src/index.ts'
import { mcpPath } from './fixture/mcp-fleet.ts'

/** A server in place of all other services. */
let other: Server
let respond: (request: IncomingMessage, response: ServerResponse) => void
let service: TestService
let upstream: string
beforeAll(async () => {
  other = createServer((request, response) => respond(request, response)).listen(0, '127.0.0.1')
  await once(other, 'listening')
  const address = other.address()
  const port = typeof address === 'object' ? address?.port : undefined
  upstream = `http://127.0.0.1:${port}`
  service = await startTestService(definition, { UPSTREAM: upstream })
})
afterAll(async () => {
  await service?.stop()
  other?.closeAllConnections()
  other?.close()
})
beforeEach(() => {
  respond = (_request, response) => response.end(JSON.stringify({ success: true, data: { quotas: [], warnings: [] } }))
})

const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
const send = (rawBody: string, more: Record<string, string> = {}) =>
  service.request('POST', mcpPath, { rawBody, headers: { ...headers, ...more } })

const callOf = (name: string) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } })

/** Calls `get_usage` and returns the parsed event of the response. */
async function callUsage() {
  const { body } = await send(callOf('get_usage'))
  const [, data = '{}'] = /^data: (.*)$/m.exec(body) ?? []
  return JSON.parse(data)
}

describe('a body', () => {
  it.each([
    ['that is not JSON', '{"jsonrpc":', -32_700, /line 1, column 12/],
    ['that is nested too deeply', '['.repeat(101), -32_700, /nest deeper/],
    ['that is empty', '', -32_700, /not valid JSON/],
    ['that is a batch', `[${callOf('get_usage')}]`, -32_600, /Batches/],
    ['that is no object', '"ping"', -32_600, /JSON-RPC message/],
    ['with text that cannot be stored', '{"id":"\\u0000"}', -32_600, /NUL/],
  ])('%s is an error of JSON-RPC', async (_, text, code, message) => {
    const { status, body } = await send(text)
    expect({ status, body }).toMatchObject({ status: 400, body: { jsonrpc: '2.0', id: null, error: { code } } })
    expect(body.error.message).toMatch(message)
  })

  it('of another content type is 415', async () => {
    expect(await send('{}', { 'content-type': 'text/plain' })).toMatchObject({ status: 415 })
  })

  it('that is too large is 413, with or without its length', async () => {
    const text = JSON.stringify({ text: 'x'.repeat(maxBodyBytes) })
    expect(await send(text)).toMatchObject({ status: 413, body: { code: 'payload_too_large' } })
    const rawBody = new Blob([text]).stream()
    expect(await service.request('POST', mcpPath, { rawBody, headers })).toMatchObject({ status: 413 })
  })
})

describe('a request', () => {
  it.each([undefined, '*/*', 'application/*, text/*', 'application/json, */*;q=0.1'])(
    'is answered when its Accept is %s',
    async (accept) => {
      const headers = { 'content-type': 'application/json', ...(accept === undefined ? {} : { accept }) }
      const { status, body } = await service.request('POST', mcpPath, { rawBody: callOf('get_usage'), headers })
      expect([status, body]).toEqual([200, expect.stringContaining('quotas')])
    },
  )

  it.each(['text/html', 'application/json', 'application/json, */*;q=0', 'application/json, text/event-stream;q=0'])(
    'is 406 when its Accept is %s',
    async (accept) => {
      const { status } = await send(callOf('get_usage'), { accept })
      expect(status).toBe(406)
    },
  )

  it.each([
    ['tools/list', null],
    ['tools/list', { cursor: null }],
    ['tools/call', { name: 'get_usage', arguments: null }],
  ])('of %s is answered when its parameters are %j', async (method, params) => {
    const { body } = await send(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
    expect(body).toContain('"result":')
  })

  it('of an unknown method is an error of JSON-RPC', async () => {
    const { body } = await send(JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'records/drop' }))
    expect(body).toContain('"code":-32601')
  })

  it('does not show why another service failed', async () => {
    respond = (_request, response) =>
      response.writeHead(500).end(JSON.stringify({ code: 'internal_error', detail: 'secret' }))
    const { result } = await callUsage()
    expect(result).toMatchObject({ isError: true })
    expect(result.content[0].text).toContain('bad_gateway')
    expect(result.content[0].text).not.toContain('secret')
  })

  it('carries the assertion of its caller to the other service, and no credential', async () => {
    const received = new Promise<IncomingMessage['headers']>((resolve) => {
      respond = (request, response) => {
        resolve(request.headers)
        response.end(JSON.stringify({ success: true, data: { quotas: [], warnings: [] } }))
      }
    })
    await send(callOf('get_usage'), { authorization: 'Bearer of-the-user' })
    const sent = await received
    expect(sent).toHaveProperty('x-workspace-scope')
    expect(sent).not.toHaveProperty('authorization')
  })
})

describe('a client that disconnects', () => {
  it('cancels its call', async () => {
    const cancel = new AbortController()
    const closed = new Promise<void>((resolve) => {
      respond = (_request, response) => {
        // never silent, so that only the cancellation ends the call
        const drip = setInterval(() => response.write(' '), 100)
        response.once('close', () => {
          clearInterval(drip)
          resolve()
        })
        cancel.abort()
      }
    })
    const assertion = await service.assertion(service.caller)
    const request = fetch(service.url + mcpPath, {
      method: 'POST',
      headers: { ...headers, 'x-workspace-scope': assertion },
      body: callOf('get_usage'),
      signal: cancel.signal,
    })
    await expect(request.then((response) => response.text())).rejects.toThrow(/abort/)
    await closed
  })
})

describe('a service that stops', () => {
  it('completes the calls in progress', async () => {
    const stopping = await startTestService(definition, { UPSTREAM: upstream })
    const held = new Promise<ServerResponse>((resolve) => {
      respond = (_request, response) => resolve(response)
    })
    const call = stopping.request('POST', mcpPath, { rawBody: callOf('get_usage'), headers })
    const response = await held
    const stopped = stopping.stop()
    await eventually(() =>
      fetch(stopping.url).then(
        () => false,
        () => true,
      ),
    )
    response.end(JSON.stringify({ success: true, data: { quotas: [], warnings: [] } }))
    expect((await call).body).toContain('quotas')
    await stopped
  })
})

describe('the calls of a workspace', () => {
  it('run eight at a time; others wait, and another workspace does not', async () => {
    const held: ServerResponse[] = []
    respond = (_request, response) => void held.push(response)
    const calls = Array.from({ length: 9 }, () => callUsage())
    await eventually(() => held.length === 8)
    const answer = JSON.stringify({ success: true, data: { quotas: [], warnings: [] } })
    respond = (_request, response) => response.end(answer)
    const stranger = { workspaceId: 'ws_01h455vb4pex5vsknk084sn03q' }
    const request = { rawBody: callOf('get_usage'), headers, caller: stranger }
    expect((await service.request('POST', mcpPath, request)).body).toContain('quotas')
    expect(held).toHaveLength(8)
    for (const response of held) response.end(answer)
    for (const { result } of await Promise.all(calls)) expect(result).not.toHaveProperty('isError')
  })
})
