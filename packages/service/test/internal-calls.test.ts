import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { endpoint, listQuery, problem } from '@wp/contracts'
import { createTestCaller } from '@wp/testkit'
import { z } from 'zod'
import { createInternalCalls, type InternalCalls, type Subject } from '../src/index.ts'

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
const inner = {
  method: 'GET',
  summary: 'Use',
  audience: 'internal',
  callers: ['mcp'],
  ok: z.object({ id: z.string() }),
} as const
const use = endpoint({
  ...inner,
  id: 'integrations.use',
  path: '/internal/integrations/use',
  scope: 'integrations:read',
  delegations: ['agent_model'],
})
const report = endpoint({
  ...inner,
  id: 'integrations.report',
  path: '/internal/integrations/report',
  workspace: 'none',
  allowsSystemCalls: true,
})
const request = { params: {}, query: {}, body: undefined }
const caller = { ...createTestCaller('ws_01h455vb4pex5vsknk084sn02q'), requestId: 'req-1' }

let respond: (request: IncomingMessage, response: ServerResponse) => void
let calls: InternalCalls
let signed: Subject[]
let close: () => Promise<void>
beforeEach(async () => {
  const server = createServer((request, response) => respond(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  signed = []
  calls = createInternalCalls({
    signer: {
      issuer: 'mcp',
      async sign(subject) {
        signed.push(subject)
        return 'assertion'
      },
    },
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

describe('a call of an internal endpoint', () => {
  it('is made on behalf of the caller without their idempotency key when they have its scope', async () => {
    const received = new Promise<IncomingMessage>((resolve) => {
      respond = (received, response) => {
        resolve(received)
        response.end(JSON.stringify({ success: true, data: { id: 'one' } }))
      }
    })
    const idempotency = { key: 'key-1', fingerprint: 'print' }
    const requesting = { ...caller, request: { endpointId: 'ai.chat', idempotency, ip: '192.0.2.1' } }
    expect(await calls.callForCaller(requesting, 'integrations:read', use, request)).toEqual({ id: 'one' })
    const { headers } = await received
    expect([headers['x-request-id'], headers['x-forwarded-for']]).toEqual(['req-1', '192.0.2.1'])
    expect(headers['idempotency-key']).toBeUndefined()
    expect(signed.at(-1)).toMatchObject({ principal: caller.principal, scopes: caller.scopes })
  })

  it('is refused before it is sent when the caller does not have its scope', async () => {
    respond = () => {
      throw new Error('the call was sent')
    }
    const narrow = { ...caller, scopes: ['ai:chat' as const] }
    await expect(calls.callForCaller(narrow, 'integrations:read', use, request)).rejects.toMatchObject({
      code: 'missing_scope',
      extra: { required_scope: 'integrations:read' },
    })
    expect(signed).toEqual([])
  })

  it('is made by the service without scopes when an author has delegated the use', async () => {
    respondWith(200, { success: true, data: { id: 'one' } })
    const { workspaceId } = caller
    expect(await calls.callDelegated('agent_model', use, { workspaceId }, request)).toEqual({ id: 'one' })
    expect(signed).toMatchObject([{ principal: { id: 'svc:mcp', type: 'service' }, scopes: [], workspaceId }])
  })
})

/** Never called: the type check fails if one of these compiles. */
export const doesNotCompile = (internal: InternalCalls) => [
  // @ts-expect-error a call for a caller needs the scope
  internal.callForCaller(caller, use, request),
  // @ts-expect-error a call for a caller needs the caller
  internal.callForCaller('integrations:read', use, request),
  // @ts-expect-error the scope is that of the endpoint
  internal.callForCaller(caller, 'ai:chat', use, request),
  // @ts-expect-error an internal endpoint is not called as a public one, without a scope
  internal.call(use, caller, request),
  // @ts-expect-error an endpoint with a scope is not called without a caller
  internal.callAsSystem(use, { workspaceId: null }, request),
  // @ts-expect-error the authority of a caller is not lost in a call on the service's own behalf
  internal.callAsSystem(report, caller, request),
  // @ts-expect-error a delegated use must be one that the endpoint lists
  internal.callDelegated('embeddings', use, { workspaceId: null }, request),
  // @ts-expect-error a delegated use is not made with the authority of a caller
  internal.callDelegated('agent_model', use, caller, request),
  // @ts-expect-error a public endpoint has no delegated uses
  internal.callDelegated('agent_model', find, { workspaceId: null }, request),
  internal.callAsSystem(report, { workspaceId: null }, request),
]
