import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { flood, megabyte, standstill } from './flow.ts'
import { startFullPort } from './full-accept-queue.ts'
import { type Harness, startHarness } from './harness.ts'

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'
const get = 'GET / HTTP/1.1\r\nHost: edge'
const post = 'POST / HTTP/1.1\r\nHost: edge\r\nContent-Length: 2'

describe.each(['buffered', 'streaming'] as const)('by %s', (carrier) => {
  let rig: Harness
  beforeEach(async () => {
    rig = await startHarness(carrier)
  })
  afterEach(() => rig.stop())

  describe('a client that goes', () => {
    it.each([
      ['before there is an answer', get, '', ''],
      ['in the middle of its body', 'POST / HTTP/1.1\r\nHost: edge\r\nContent-Length: 100000', 'part', ''],
      ['in the middle of the answer', get, '', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart'],
    ])('%s ends the work of the service', async (_, head, body, answer) => {
      const client = await rig.ask(head, body)
      const { peer } = await rig.upstream.request()
      if (body !== '') await peer.until(/part/)
      peer.say(answer)
      if (answer !== '') await client.until(/part/)
      client.socket.destroy()
      await peer.untilClosed()
      expect((await rig.roundTrip('GET / HTTP/1.1', ok)).got).toMatch(/ok$/)
    })
  })

  describe('a service that breaks off', () => {
    it.each([
      ['before its answer', ''],
      ['in the middle of the head', 'HTTP/1.1 200 OK\r\nX-A'],
      ['after an informational answer', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
    ])('%s is 502', async (_, said) => {
      for (const reset of [false, true]) {
        const client = await rig.ask(post, '{}')
        const { peer } = await rig.upstream.request()
        await peer.until(/\{\}/)
        peer.socket.write(said, () => (reset ? peer.socket.resetAndDestroy() : peer.socket.destroy()))
        expect(await client.until(/"bad_gateway"/)).toMatch(/^HTTP\/1\.1 502 /)
        client.socket.destroy()
      }
    })

    it.each([
      ['of a known length', 'Content-Length: 100\r\n\r\npart', ''],
      ['of chunks', 'Transfer-Encoding: chunked\r\n\r\n4\r\npart\r\n', ''],
      ['of chunks, with one that is none', 'Transfer-Encoding: chunked\r\n\r\n4\r\npart\r\n', 'zz\r\n'],
    ])('in the middle of a body %s cuts the answer', async (_, said, atLast) => {
      const client = await rig.ask(get)
      const { peer } = await rig.upstream.request()
      peer.say(`HTTP/1.1 200 OK\r\n${said}`)
      await client.until(/part/)
      peer.socket.end(atLast)
      expect(await client.untilClosed()).toMatch(/part(\r\n)?$/)
    })
  })

  describe('an answer that is hardly HTTP', () => {
    it.each([
      ['no HTTP', 'hello\r\n\r\n'],
      ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok'],
      ['a length and chunks', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
      ['a length that is none', 'HTTP/1.1 200 OK\r\nContent-Length: two\r\n\r\nok'],
      ['a status that is none', 'HTTP/1.1 99 OK\r\nContent-Length: 2\r\n\r\nok'],
      ['a status of zero', 'HTTP/1.1 000 OK\r\nContent-Length: 2\r\n\r\nok'],
      ['a header without a colon', 'HTTP/1.1 200 OK\r\nX-A\r\nContent-Length: 2\r\n\r\nok'],
      ['a header with a control', 'HTTP/1.1 200 OK\r\nX-A: a\x01b\r\nContent-Length: 2\r\n\r\nok'],
      ['a header of 40 KB', `HTTP/1.1 200 OK\r\nX-A: ${'a'.repeat(40_000)}\r\nContent-Length: 2\r\n\r\nok`],
      [
        'another protocol nobody asked for',
        'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n',
      ],
    ])('is 502: %s', async (_, answer) => {
      expect((await rig.roundTrip('GET / HTTP/1.1', answer)).got).toMatch(/^HTTP\/1\.1 502 [\s\S]*"bad_gateway"/)
      expect((await rig.roundTrip('GET / HTTP/1.1', ok)).got).toMatch(/ok$/)
    })

    it('is never given to the one who asks next', async () => {
      for (let count = 0; count < 3; count += 1) {
        const client = await rig.ask(`${get}\r\nConnection: close`)
        const { peer } = await rig.upstream.request()
        peer.say(`${ok}HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil`)
        expect(await client.untilClosed()).toMatch(/ok$/)
      }
    })
  })

  it('a service that is not there is 503, with the time to come again', async () => {
    const nowhere = await startHarness(carrier, { target: 'http://127.0.0.1:1' })
    const client = await nowhere.ask(post, '{}')
    const got = await client.until(/"service_unavailable"/)
    expect(got).toMatch(/^HTTP\/1\.1 503 [\s\S]*\r\nretry-after: 1\r\n/i)
    client.socket.destroy()
    await nowhere.stop()
  })

  it('a service that does not take a connection in time is 503', async () => {
    const full = await startFullPort()
    const nowhere = await startHarness(carrier, { target: full.url, connectMs: 200 })
    const client = await nowhere.ask(post, '{}')
    expect(await client.until(/"service_unavailable"/)).toMatch(/^HTTP\/1\.1 503 [\s\S]*\r\nretry-after: 1\r\n/i)
    client.socket.destroy()
    await nowhere.stop()
    full.stop()
  })

  describe('an answer before the body was read', () => {
    const refusal = 'HTTP/1.1 413 Content Too Large\r\nContent-Length: 3\r\n\r\nbig'
    const head = 'POST / HTTP/1.1\r\nHost: edge\r\nContent-Length: 50000000'

    it.each([
      ['that goes on to be', ''],
      ['that the client wants to be closed', '\r\nConnection: close'],
    ])('reaches a client that is still sending, over a connection %s', async (_, more) => {
      const client = await rig.ask(head + more, 'x'.repeat(1_000_000))
      const { peer } = await rig.upstream.request()
      peer.say(refusal)
      peer.socket.end()
      const flood = setInterval(() => client.socket.write('x'.repeat(10_000)), 1)
      await client.until(/^HTTP\/1\.1 413 [\s\S]*big$/)
      clearInterval(flood)
      client.socket.destroy()
    })

    it('lets a client that wants its connection closed send all of it before', async () => {
      const length = 30 * megabyte.length
      const client = await rig.ask(
        `POST / HTTP/1.1\r\nHost: edge\r\nConnection: close\r\nContent-Length: ${length}`,
        'x',
      )
      const { peer } = await rig.upstream.request()
      peer.socket.pause()
      const sent = flood(client, 29)
      await standstill(() => client.socket.bytesWritten)
      peer.say(refusal)
      await client.until(/^HTTP\/1\.1 413 [\s\S]*big$/)
      await sent
      await client.write(megabyte.slice(1))
      await client.untilClosed()
      expect(client.socket.errored).toBeNull()
    })

    it('leaves the connection of a client that ends its body', async () => {
      const client = await rig.ask('POST / HTTP/1.1\r\nHost: edge\r\nContent-Length: 100000', 'x'.repeat(70_000))
      const { peer } = await rig.upstream.request()
      peer.say(refusal)
      await client.until(/big$/)
      await client.write(`${'x'.repeat(30_000)}${get}\r\n\r\n`)
      const next = await rig.upstream.request()
      next.peer.say(ok)
      await client.until(/big[\s\S]*ok$/)
      client.socket.destroy()
    })
  })

  describe('connections to a service', () => {
    it('are kept', async () => {
      for (let count = 0; count < 5; count += 1) expect((await rig.roundTrip('GET / HTTP/1.1', ok)).got).toMatch(/ok$/)
      expect(rig.upstream.connections()).toBe(1)
    })

    it('are not kept where the service says so', async () => {
      const last = ok.replace('\r\n', '\r\nConnection: close\r\n')
      for (let count = 0; count < 3; count += 1)
        expect((await rig.roundTrip('GET / HTTP/1.1', last)).got).toMatch(/ok$/)
      expect(rig.upstream.connections()).toBe(3)
    })
  })
})

describe('by ordinary', () => {
  it('a 100 that nobody waited for is 502', async () => {
    const rig = await startHarness('buffered')
    const { got } = await rig.roundTrip('GET / HTTP/1.1', `HTTP/1.1 100 Continue\r\n\r\n${ok}`)
    expect(got).toMatch(/^HTTP\/1\.1 502 /)
    await rig.stop()
  })

  it('a request that has waited for a connection as long as for an answer is 503, and never sent', async () => {
    const rig = await startHarness('buffered', { connections: 1, idleMs: 300 })
    const first = await rig.ask(post, '{}')
    const { peer } = await rig.upstream.request()
    const second = await rig.ask(post, '{}')
    await first.until(/"gateway_timeout"/)
    await second.until(/"service_unavailable"/)
    expect(peer.received().match(/POST/g)).toHaveLength(1)
    expect(rig.upstream.connections()).toBeLessThanOrEqual(2)
    for (const client of [first, second]) client.socket.destroy()
    await rig.stop()
  })

  it('more requests than there are connections wait, and too many are refused', async () => {
    const rig = await startHarness('buffered', { connections: 2 })
    const clients = await Promise.all(Array.from({ length: 10 }, () => rig.ask(get)))
    const [first, second] = [await rig.upstream.request(), await rig.upstream.request()]
    const refused = await rig.ask(get)
    expect(await refused.until(/"service_unavailable"/)).toMatch(/^HTTP\/1\.1 503 [\s\S]*retry-after/i)
    let peers = [first.peer, second.peer]
    for (let answered = 0; answered < 10; answered += 2) {
      for (const peer of peers) peer.say(ok)
      if (answered < 8) peers = [(await rig.upstream.request()).peer, (await rig.upstream.request()).peer]
    }
    for (const client of clients) await client.until(/ok$/)
    expect(rig.upstream.connections()).toBe(2)
    for (const client of [refused, ...clients]) client.socket.destroy()
    await rig.stop()
  })
})
