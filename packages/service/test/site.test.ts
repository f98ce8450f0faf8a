import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { problem } from '@wp/contracts'
import { assertionHeader } from '../src/index.ts'
import { type BoxService, startBoxes } from './fixture.ts'

let boxes: BoxService
const seen: { url: string | undefined; clientAddress: string | undefined; requestId: string; traceparent: string }[] =
  []
beforeAll(async () => {
  boxes = await startBoxes(undefined, {
    async site(request, response, { clientAddress, requestId, traceparent }) {
      seen.push({ url: request.url, clientAddress, requestId, traceparent })
      if (request.url === '/site/refused') throw problem('not_found')
      if (request.url === '/site/broken') throw new Error('the password of the database is hunter2')
      if (request.url === '/site/cut') {
        response.write('half')
        throw new Error('after the head')
      }
      let bytes = 0
      for await (const chunk of request) bytes += chunk.length
      response.setHeader('content-type', 'text/plain').end(`${request.method} ${bytes}`)
    },
  })
})
beforeEach(() => {
  seen.length = 0
})
afterAll(() => boxes.stop())

describe('the site of a service', () => {
  it('serves any method and path that no endpoint serves, with the raw address and body', async () => {
    for (const path of ['/', '/site/a%2Fb/..;/?q=1&q=2', '/%', '/v1/data/none'])
      expect(await boxes.request('PUT', path, { body: 'abc' })).toMatchObject({ status: 200, body: 'PUT 3' })
    expect(seen.map(({ url }) => url)).toEqual(['/', '/site/a%2Fb/..;/?q=1&q=2', '/%', '/v1/data/none'])
  })

  it('does not serve the endpoints, nor health and metrics', async () => {
    expect((await boxes.request('GET', '/v1/data/boxes/box_1')).body.data.id).toBe('box_1')
    for (const path of ['/healthz', '/readyz', '/metrics'])
      expect((await fetch(boxes.running.url + path)).status).toBe(200)
    expect(seen).toEqual([])
  })

  it('is told the request id, the trace and the address of the client', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    const headers = { 'x-request-id': 'req-site-0001', 'x-forwarded-for': '203.0.113.9', traceparent }
    const response = await boxes.request('GET', '/site', { headers })
    expect(response.headers.get('x-request-id')).toBe('req-site-0001')
    expect(seen).toEqual([
      expect.objectContaining({ clientAddress: '203.0.113.9', requestId: 'req-site-0001', url: '/site' }),
    ])
    expect(seen[0]?.traceparent).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-(?!b7ad6b7169203331)[0-9a-f]{16}-01$/)
  })

  it('is reached only by requests that the edge signed for this service', async () => {
    expect((await fetch(`${boxes.running.url}/site`)).status).toBe(401)
    const refused = async (headers: Record<string, string>) => (await boxes.request('GET', '/site', { headers })).status
    expect(await refused({ [assertionHeader]: 'forged' })).toBe(401)
    expect(await refused({ [assertionHeader]: await boxes.sign({}, 'gateway', 'auth') })).toBe(401)
    expect(await refused({ [assertionHeader]: await boxes.sign({ shard: 'elsewhere' }) })).toBe(503)
    expect(await refused({ 'x-principal-id': 'usr_other' })).toBe(401)
    expect(await boxes.request('GET', '/site', { signer: 'solutions' })).toMatchObject({
      status: 403,
      body: { code: 'caller_not_allowed' },
    })
    expect(seen).toEqual([])
  })

  it('has problem responses for what its handler throws, and cuts a response that has begun', async () => {
    const headers = { 'x-request-id': 'req-site-0002' }
    expect(await boxes.request('GET', '/site/refused', { headers })).toMatchObject({
      status: 404,
      body: { code: 'not_found', request_id: 'req-site-0002' },
    })
    const broken = await boxes.request('GET', '/site/broken')
    expect(broken).toMatchObject({ status: 500, body: { code: 'internal_error' } })
    expect(JSON.stringify(broken.body)).not.toContain('hunter2')
    await expect(boxes.request('GET', '/site/cut')).rejects.toThrow()
  })

  it('appears in the metrics with its status', async () => {
    const metrics = await (await fetch(`${boxes.running.url}/metrics`)).text()
    expect(metrics).toMatch(/http_request_seconds_count\{[^}]*endpoint="site"[^}]*status="404"/)
  })
})

describe('a service without a site', () => {
  it('responds 404 to what no endpoint serves, also without an assertion', async () => {
    const other = await startBoxes()
    try {
      expect((await fetch(`${other.running.url}/site`)).status).toBe(404)
      expect(await other.request('GET', '/site')).toMatchObject({ status: 404, body: { code: 'not_found' } })
    } finally {
      await other.stop()
    }
  })
})
