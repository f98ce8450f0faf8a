import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { type Harness, startHarness } from './harness.ts'

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'
const linesOf = (message: string) => message.split('\r\n\r\n', 1)[0]?.split('\r\n') ?? []
const bodyOf = (message: string) => message.slice(message.indexOf('\r\n\r\n') + 4)

describe.each(['buffered', 'streaming'] as const)('what %s carries', (carrier) => {
  let rig: Harness
  beforeEach(async () => {
    rig = await startHarness(carrier)
  })
  afterEach(() => rig.stop())

  describe('of the headers of a request', () => {
    it('is what goes from end to end, under the name of the service', async () => {
      const hop = 'Connection: x-mine, close\r\nX-Mine: 1\r\nKeep-Alive: timeout=9\r\nTE: trailers\r\nTrailer: x-sum'
      const { seen } = await rig.roundTrip(
        `GET /a%2fb?c=d&c=%20 HTTP/1.1\r\n${hop}\r\nUpgrade: h2c\r\nProxy-Authorization: x\r\nX-Two: a\r\nX-Two: b`,
        ok,
      )
      const [line, ...headers] = linesOf(seen)
      expect(line).toBe('GET /a%2fb?c=d&c=%20 HTTP/1.1')
      const names = headers.filter((header) => !/^connection:/i.test(header))
      expect(names.sort()).toEqual([`host: ${new URL(rig.upstream.url).host}`, 'x-two: a, b'])
      expect(headers.join('\n')).toMatch(/^connection: keep-alive$/im)
    })

    it('is below the path of the address, where that has one', async () => {
      const below = await startHarness(carrier, { target: `${rig.upstream.url}/base` })
      const client = await below.ask('GET /a?b HTTP/1.1\r\nHost: edge')
      const { head } = await rig.upstream.request()
      expect(head).toMatch(/^GET \/base\/a\?b HTTP/)
      client.socket.destroy()
      await below.stop()
    })
  })

  describe('of the headers of an answer', () => {
    it('is what goes from end to end', async () => {
      const hop =
        'Connection: x-private, Keep-Alive\r\nX-Private: 1\r\nKeep-Alive: timeout=9\r\nTrailer: x-sum\r\nTE: x'
      const { got } = await rig.roundTrip(
        'GET / HTTP/1.1',
        `HTTP/1.1 200 Fine\r\n${hop}\r\nProxy-Connection: a\r\nUpgrade: h2c\r\nX-Kept: 1\r\nVary: accept, cookie\r\nContent-Length: 2\r\n\r\nok`,
      )
      const [line, ...headers] = linesOf(got)
      expect(line).toBe('HTTP/1.1 200 OK')
      expect(headers.filter((header) => !header.startsWith('Date')).sort()).toEqual([
        'Connection: close',
        'content-length: 2',
        'vary: accept, cookie',
        'vary: origin',
        'x-kept: 1',
      ])
    })

    it('keeps the lines that may be several, in their order', async () => {
      const { got } = await rig.roundTrip(
        'GET / HTTP/1.1',
        `HTTP/1.1 200 OK\r\nSet-Cookie: b=1\r\nX-Between: 1\r\nSet-Cookie: a=2; Path=/\r\nSET-COOKIE: b=3\r\nContent-Length: 0\r\n\r\n`,
      )
      expect(linesOf(got).filter((line) => /^set-cookie/i.test(line))).toEqual([
        'set-cookie: b=1',
        'set-cookie: a=2; Path=/',
        'set-cookie: b=3',
      ])
    })

    it('passes bytes above ASCII as they are', async () => {
      const { got } = await rig.roundTrip(
        'GET / HTTP/1.1',
        `HTTP/1.1 200 OK\r\nX-Name: caf\xe9\r\nContent-Length: 0\r\n\r\n`,
      )
      expect(Buffer.from(got).toString()).toContain('x-name: caf')
    })
  })

  describe('of a body', () => {
    it.each([
      ['that is short', 11],
      ['that is long', 200_000],
    ])('%s has its length', async (_, length) => {
      const body = 'x'.repeat(length)
      const client = await rig.ask(
        `POST / HTTP/1.1\r\nHost: edge\r\nConnection: close\r\nContent-Length: ${length}`,
        body,
      )
      const { peer, head } = await rig.upstream.request()
      expect(head).toMatch(new RegExp(`^content-length: ${length}$`, 'm'))
      await peer.until(/x$/)
      peer.say(`HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\n\r\n${body}`)
      const got = await client.untilClosed()
      expect(linesOf(got)).toContain(`content-length: ${length}`)
      expect(got).not.toMatch(/transfer-encoding/i)
      expect(bodyOf(got)).toBe(body)
      expect(bodyOf(peer.received())).toBe(body)
    })

    it('without a length comes and goes in chunks', async () => {
      const client = await rig.ask(
        'POST / HTTP/1.1\r\nHost: edge\r\nConnection: close\r\nTransfer-Encoding: chunked',
        '3\r\nabc\r\n',
      )
      const { peer } = await rig.upstream.request()
      await peer.until(/transfer-encoding: chunked\r\n[\s\S]*3\r\nabc/i)
      await client.write('2\r\nde\r\n0\r\n\r\n')
      expect(await peer.until(/0\r\n\r\n$/)).not.toMatch(/content-length/i)
      peer.say('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nxyz\r\n')
      await client.until(/transfer-encoding: chunked\r\n[\s\S]*3\r\nxyz\r\n$/i)
      peer.say('0\r\n\r\n')
      expect(await client.untilClosed()).toMatch(/0\r\n\r\n$/)
    })

    it('without a length ends with the connection for a client of 1.0', async () => {
      const client = await rig.ask('GET / HTTP/1.0')
      const { peer } = await rig.upstream.request()
      peer.say('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nxyz\r\n0\r\n\r\n')
      const got = await client.untilClosed()
      expect(got).not.toMatch(/transfer-encoding/i)
      expect(bodyOf(got)).toBe('xyz')
    })

    it('that ends with the connection of the service is whole', async () => {
      const client = await rig.ask('GET / HTTP/1.1\r\nHost: edge\r\nConnection: close')
      const { peer } = await rig.upstream.request()
      peer.say('HTTP/1.1 200 OK\r\n\r\nall of it')
      peer.socket.end()
      expect(await client.untilClosed()).toMatch(/all of it\r\n0\r\n\r\n$/)
    })

    it('is none where there is none: a POST of no length, a DELETE', async () => {
      const post = await rig.roundTrip('POST / HTTP/1.1', ok)
      expect(linesOf(post.seen)).not.toContain('transfer-encoding: chunked')
      const deleted = await rig.roundTrip('DELETE / HTTP/1.1', ok)
      expect(bodyOf(deleted.seen)).toBe('')
      expect(deleted.got).toMatch(/ok$/)
    })

    it('may belong to a DELETE', async () => {
      const { got } = await rig.roundTrip('DELETE / HTTP/1.1\r\nContent-Length: 2', ok, '{}')
      expect(got).toMatch(/ok$/)
    })

    it('of HEAD, 204 and 304 is none, and the connection goes on', async () => {
      const client = await rig.ask('HEAD / HTTP/1.1\r\nHost: edge')
      const { peer } = await rig.upstream.request()
      peer.say('HTTP/1.1 200 OK\r\nContent-Length: 1234\r\n\r\n')
      await client.until(/^HTTP\/1\.1 200 OK\r\n[\s\S]*content-length: 1234\r\n[\s\S]*\r\n\r\n$/)
      for (const answer of [
        '204 No Content\r\nContent-Length: 5',
        '304 Not Modified\r\nContent-Length: 77\r\nETag: "x"',
      ]) {
        await client.write('GET / HTTP/1.1\r\nHost: edge\r\n\r\n')
        const next = await rig.upstream.request()
        next.peer.say(`HTTP/1.1 ${answer}\r\n\r\n`)
        await client.until(new RegExp(`HTTP/1.1 ${answer.slice(0, 3)} [\\s\\S]*\\r\\n\\r\\n$`))
      }
      const heads = client.said().split('\r\n\r\n').filter(Boolean)
      expect(heads.map((head) => head.slice(9, 12))).toEqual(['200', '204', '304'])
      expect(heads[1]).not.toMatch(/content-length|transfer-encoding/i)
      expect(heads[2]).toMatch(/content-length: 77/)
      client.socket.destroy()
    })
  })

  it('is no trailer, either way', async () => {
    const client = await rig.ask(
      'POST / HTTP/1.1\r\nHost: edge\r\nConnection: close\r\nTransfer-Encoding: chunked',
      '1\r\na\r\n0\r\nX-Sum: 1\r\n\r\n',
    )
    const { peer } = await rig.upstream.request()
    expect(await peer.until(/\r\na(\r\n0\r\n\r\n)?$/)).not.toMatch(/x-sum/i)
    peer.say('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: x-sum\r\n\r\n1\r\nb\r\n0\r\nX-Sum: 1\r\n\r\n')
    expect(await client.untilClosed()).not.toMatch(/x-sum/i)
  })

  it('is told to come when it waits to be told, by the edge', async () => {
    const client = await rig.ask(
      'POST / HTTP/1.1\r\nHost: edge\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Length: 2',
    )
    await client.until(/^HTTP\/1\.1 100 Continue\r\n\r\n$/)
    await client.write('{}')
    const { peer } = await rig.upstream.request()
    expect(await peer.until(/\{\}$/)).not.toMatch(/expect/i)
    peer.say(ok)
    expect(await client.untilClosed()).toMatch(/200 OK[\s\S]*ok$/)
  })

  it.each(['102 Processing', '103 Early Hints\r\nLink: </a>; rel=preload'])(
    'is no informational answer: %s',
    async (informational) => {
      const { got } = await rig.roundTrip('GET / HTTP/1.1', `HTTP/1.1 ${informational}\r\n\r\n${ok}`)
      expect(got).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
      expect(got).not.toMatch(/link|processing/i)
    },
  )

  it('is not what two parsers could read in two ways', async () => {
    const client = await rig.ask(
      'POST / HTTP/1.1\r\nHost: edge\r\nContent-Length: 4\r\nTransfer-Encoding: chunked',
      '0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: edge\r\n\r\n',
    )
    expect(await client.untilClosed()).toMatch(/^HTTP\/1\.1 400 /)
    expect(rig.upstream.connections()).toBe(0)
  })
})
