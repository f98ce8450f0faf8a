import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { type Harness, startHarness } from './harness.ts'

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'
const linesOf = (message: string) => message.split('\r\n\r\n', 1)[0]?.split('\r\n') ?? []
const bodyOf = (message: string) => message.slice(message.indexOf('\r\n\r\n') + 4)

describe.each(['buffered', 'streaming'] as const)('the %s transport', (transport) => {
  let harness: Harness
  beforeEach(async () => {
    harness = await startHarness(transport)
  })
  afterEach(() => harness.close())

  describe('forwards the headers of a request', () => {
    it('without hop-by-hop headers and with the host of the service', async () => {
      const hop = 'Connection: x-mine, close\r\nX-Mine: 1\r\nKeep-Alive: timeout=9\r\nTE: trailers\r\nTrailer: x-sum'
      const { requestHead } = await harness.roundTrip(
        `GET /a%2fb?c=d&c=%20 HTTP/1.1\r\n${hop}\r\nUpgrade: h2c\r\nProxy-Authorization: x\r\nX-Two: a\r\nX-Two: b`,
        ok,
      )
      const [line, ...headers] = linesOf(requestHead)
      expect(line).toBe('GET /a%2fb?c=d&c=%20 HTTP/1.1')
      const names = headers.filter((header) => !/^connection:/i.test(header))
      expect(names.sort()).toEqual([`host: ${new URL(harness.upstream.url).host}`, 'x-two: a, b'])
      expect(headers.join('\n')).toMatch(/^connection: keep-alive$/im)
    })

    it('below the path of the upstream address', async () => {
      const below = await startHarness(transport, { target: `${harness.upstream.url}/base` })
      const client = await below.sendRequest('GET /a?b HTTP/1.1\r\nHost: edge')
      const { head } = await harness.upstream.nextRequest()
      expect(head).toMatch(/^GET \/base\/a\?b HTTP/)
      client.socket.destroy()
      await below.close()
    })
  })

  describe('forwards the headers of a response', () => {
    it('without hop-by-hop headers', async () => {
      const hop =
        'Connection: x-private, Keep-Alive\r\nX-Private: 1\r\nKeep-Alive: timeout=9\r\nTrailer: x-sum\r\nTE: x'
      const { response } = await harness.roundTrip(
        'GET / HTTP/1.1',
        `HTTP/1.1 200 Fine\r\n${hop}\r\nProxy-Connection: a\r\nUpgrade: h2c\r\nX-Kept: 1\r\nVary: accept, cookie\r\nContent-Length: 2\r\n\r\nok`,
      )
      const [line, ...headers] = linesOf(response)
      expect(line).toBe('HTTP/1.1 200 OK')
      expect(headers.filter((header) => !header.startsWith('Date')).sort()).toEqual([
        'Connection: close',
        'content-length: 2',
        'vary: accept, cookie',
        'vary: origin',
        'x-kept: 1',
      ])
    })

    it('with repeated fields in their order', async () => {
      const { response } = await harness.roundTrip(
        'GET / HTTP/1.1',
        `HTTP/1.1 200 OK\r\nSet-Cookie: b=1\r\nX-Between: 1\r\nSet-Cookie: a=2; Path=/\r\nSET-COOKIE: b=3\r\nContent-Length: 0\r\n\r\n`,
      )
      expect(linesOf(response).filter((line) => /^set-cookie/i.test(line))).toEqual([
        'set-cookie: b=1',
        'set-cookie: a=2; Path=/',
        'set-cookie: b=3',
      ])
    })

    it('with bytes beyond ASCII unchanged', async () => {
      const { response } = await harness.roundTrip(
        'GET / HTTP/1.1',
        `HTTP/1.1 200 OK\r\nX-Name: caf\xe9\r\nContent-Length: 0\r\n\r\n`,
      )
      expect(Buffer.from(response).toString()).toContain('x-name: caf')
    })
  })

  describe('forwards a body', () => {
    it.each([
      ['that is short', 11],
      ['that is long', 200_000],
    ])('%s with its length', async (_, length) => {
      const body = 'x'.repeat(length)
      const client = await harness.sendRequest(
        `POST / HTTP/1.1\r\nHost: edge\r\nConnection: close\r\nContent-Length: ${length}`,
        body,
      )
      const { peer, head } = await harness.upstream.nextRequest()
      expect(head).toMatch(new RegExp(`^content-length: ${length}$`, 'm'))
      await peer.waitFor(/x$/)
      peer.send(`HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\n\r\n${body}`)
      const response = await client.waitForClose()
      expect(linesOf(response)).toContain(`content-length: ${length}`)
      expect(response).not.toMatch(/transfer-encoding/i)
      expect(bodyOf(response)).toBe(body)
      expect(bodyOf(peer.received())).toBe(body)
    })

    it('without a length in chunks', async () => {
      const client = await harness.sendRequest(
        'POST / HTTP/1.1\r\nHost: edge\r\nConnection: close\r\nTransfer-Encoding: chunked',
        '3\r\nabc\r\n',
      )
      const { peer } = await harness.upstream.nextRequest()
      await peer.waitFor(/transfer-encoding: chunked\r\n[\s\S]*3\r\nabc/i)
      await client.write('2\r\nde\r\n0\r\n\r\n')
      expect(await peer.waitFor(/0\r\n\r\n$/)).not.toMatch(/content-length/i)
      peer.send('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nxyz\r\n')
      await client.waitFor(/transfer-encoding: chunked\r\n[\s\S]*3\r\nxyz\r\n$/i)
      peer.send('0\r\n\r\n')
      expect(await client.waitForClose()).toMatch(/0\r\n\r\n$/)
    })

    it('without a length until the end of the connection for an HTTP/1.0 client', async () => {
      const client = await harness.sendRequest('GET / HTTP/1.0')
      const { peer } = await harness.upstream.nextRequest()
      peer.send('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nxyz\r\n0\r\n\r\n')
      const response = await client.waitForClose()
      expect(response).not.toMatch(/transfer-encoding/i)
      expect(bodyOf(response)).toBe('xyz')
    })

    it('that ends with the connection to the service', async () => {
      const client = await harness.sendRequest('GET / HTTP/1.1\r\nHost: edge\r\nConnection: close')
      const { peer } = await harness.upstream.nextRequest()
      peer.send('HTTP/1.1 200 OK\r\n\r\nall of it')
      peer.socket.end()
      expect(await client.waitForClose()).toMatch(/all of it\r\n0\r\n\r\n$/)
    })

    it('only if there is one: not for a POST without length, nor a DELETE', async () => {
      const post = await harness.roundTrip('POST / HTTP/1.1', ok)
      expect(linesOf(post.requestHead)).not.toContain('transfer-encoding: chunked')
      const deleted = await harness.roundTrip('DELETE / HTTP/1.1', ok)
      expect(bodyOf(deleted.requestHead)).toBe('')
      expect(deleted.response).toMatch(/ok$/)
    })

    it('of a DELETE', async () => {
      const { response } = await harness.roundTrip('DELETE / HTTP/1.1\r\nContent-Length: 2', ok, '{}')
      expect(response).toMatch(/ok$/)
    })

    it('never for HEAD, 204 and 304, and keeps the connection', async () => {
      const client = await harness.sendRequest('HEAD / HTTP/1.1\r\nHost: edge')
      const { peer } = await harness.upstream.nextRequest()
      peer.send('HTTP/1.1 200 OK\r\nContent-Length: 1234\r\n\r\n')
      await client.waitFor(/^HTTP\/1\.1 200 OK\r\n[\s\S]*content-length: 1234\r\n[\s\S]*\r\n\r\n$/)
      for (const status of [
        '204 No Content\r\nContent-Length: 5',
        '304 Not Modified\r\nContent-Length: 77\r\nETag: "x"',
      ]) {
        await client.write('GET / HTTP/1.1\r\nHost: edge\r\n\r\n')
        const next = await harness.upstream.nextRequest()
        next.peer.send(`HTTP/1.1 ${status}\r\n\r\n`)
        await client.waitFor(new RegExp(`HTTP/1.1 ${status.slice(0, 3)} [\\s\\S]*\\r\\n\\r\\n$`))
      }
      const heads = client.received().split('\r\n\r\n').filter(Boolean)
      expect(heads.map((head) => head.slice(9, 12))).toEqual(['200', '204', '304'])
      expect(heads[1]).not.toMatch(/content-length|transfer-encoding/i)
      expect(heads[2]).toMatch(/content-length: 77/)
      client.socket.destroy()
    })
  })

  it('forwards no trailers in either direction', async () => {
    const client = await harness.sendRequest(
      'POST / HTTP/1.1\r\nHost: edge\r\nConnection: close\r\nTransfer-Encoding: chunked',
      '1\r\na\r\n0\r\nX-Sum: 1\r\n\r\n',
    )
    const { peer } = await harness.upstream.nextRequest()
    expect(await peer.waitFor(/\r\na(\r\n0\r\n\r\n)?$/)).not.toMatch(/x-sum/i)
    peer.send('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: x-sum\r\n\r\n1\r\nb\r\n0\r\nX-Sum: 1\r\n\r\n')
    expect(await client.waitForClose()).not.toMatch(/x-sum/i)
  })

  it('answers Expect: 100-continue at the edge', async () => {
    const client = await harness.sendRequest(
      'POST / HTTP/1.1\r\nHost: edge\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Length: 2',
    )
    await client.waitFor(/^HTTP\/1\.1 100 Continue\r\n\r\n$/)
    await client.write('{}')
    const { peer } = await harness.upstream.nextRequest()
    expect(await peer.waitFor(/\{\}$/)).not.toMatch(/expect/i)
    peer.send(ok)
    expect(await client.waitForClose()).toMatch(/200 OK[\s\S]*ok$/)
  })

  it.each(['102 Processing', '103 Early Hints\r\nLink: </a>; rel=preload'])(
    'forwards no informational response: %s',
    async (informational) => {
      const { response } = await harness.roundTrip('GET / HTTP/1.1', `HTTP/1.1 ${informational}\r\n\r\n${ok}`)
      expect(response).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
      expect(response).not.toMatch(/link|processing/i)
    },
  )

  it('rejects a request with Content-Length and Transfer-Encoding', async () => {
    const client = await harness.sendRequest(
      'POST / HTTP/1.1\r\nHost: edge\r\nContent-Length: 4\r\nTransfer-Encoding: chunked',
      '0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: edge\r\n\r\n',
    )
    expect(await client.waitForClose()).toMatch(/^HTTP\/1\.1 400 /)
    expect(harness.upstream.connections()).toBe(0)
  })
})
