import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { eventually } from '@wp/testkit'
import { startFullAcceptQueue } from './full-accept-queue.ts'
import { type Harness, startHarness } from './harness.ts'
import { megabyte, waitUntilStable, writeMegabytes } from './slow-io.ts'

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'
const get = 'GET / HTTP/1.1\r\nHost: edge'
const post = 'POST / HTTP/1.1\r\nHost: edge\r\nContent-Length: 2'

describe.each(['buffered', 'streaming'] as const)('the %s transport', (transport) => {
  let harness: Harness
  beforeEach(async () => {
    harness = await startHarness(transport)
  })
  afterEach(() => harness.close())

  describe('when the client closes the connection', () => {
    it.each([
      ['before the response', get, '', ''],
      ['within its body', 'POST / HTTP/1.1\r\nHost: edge\r\nContent-Length: 100000', 'part', ''],
      ['within the response', get, '', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart'],
    ])('closes the connection to the service: %s', async (_, head, body, answer) => {
      const client = await harness.sendRequest(head, body)
      const { peer } = await harness.upstream.nextRequest()
      if (body !== '') await peer.waitFor(/part/)
      peer.send(answer)
      if (answer !== '') await client.waitFor(/part/)
      client.socket.destroy()
      await peer.waitForClose()
      expect((await harness.roundTrip('GET / HTTP/1.1', ok)).response).toMatch(/ok$/)
    })
  })

  describe('when the service closes the connection', () => {
    it.each([
      ['before its response', ''],
      ['within the head', 'HTTP/1.1 200 OK\r\nX-A'],
      ['after an informational response', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
    ])('responds with 502: %s', async (_, partial) => {
      for (const reset of [false, true]) {
        const client = await harness.sendRequest(post, '{}')
        const { peer } = await harness.upstream.nextRequest()
        await peer.waitFor(/\{\}/)
        peer.socket.write(partial, () => (reset ? peer.socket.resetAndDestroy() : peer.socket.destroy()))
        expect(await client.waitFor(/"bad_gateway"/)).toMatch(/^HTTP\/1\.1 502 /)
        client.socket.destroy()
      }
    })

    it.each([
      ['of a known length', 'Content-Length: 100\r\n\r\npart', ''],
      ['of chunks', 'Transfer-Encoding: chunked\r\n\r\n4\r\npart\r\n', ''],
      ['of chunks, one of them malformed', 'Transfer-Encoding: chunked\r\n\r\n4\r\npart\r\n', 'zz\r\n'],
    ])('aborts the response within a body %s', async (_, partial, atLast) => {
      const client = await harness.sendRequest(get)
      const { peer } = await harness.upstream.nextRequest()
      peer.send(`HTTP/1.1 200 OK\r\n${partial}`)
      await client.waitFor(/part/)
      peer.socket.end(atLast)
      expect(await client.waitForClose()).toMatch(/part(\r\n)?$/)
    })
  })

  describe('when the response is malformed', () => {
    it.each([
      ['no HTTP', 'hello\r\n\r\n'],
      ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok'],
      ['a length and chunks', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
      ['an invalid length', 'HTTP/1.1 200 OK\r\nContent-Length: two\r\n\r\nok'],
      ['an invalid status', 'HTTP/1.1 99 OK\r\nContent-Length: 2\r\n\r\nok'],
      ['a status of zero', 'HTTP/1.1 000 OK\r\nContent-Length: 2\r\n\r\nok'],
      ['a header without a colon', 'HTTP/1.1 200 OK\r\nX-A\r\nContent-Length: 2\r\n\r\nok'],
      ['a header with a control', 'HTTP/1.1 200 OK\r\nX-A: a\x01b\r\nContent-Length: 2\r\n\r\nok'],
      ['a header of 40 KB', `HTTP/1.1 200 OK\r\nX-A: ${'a'.repeat(40_000)}\r\nContent-Length: 2\r\n\r\nok`],
      [
        'an unrequested protocol switch',
        'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n',
      ],
    ])('responds with 502: %s', async (_, answer) => {
      expect((await harness.roundTrip('GET / HTTP/1.1', answer)).response).toMatch(
        /^HTTP\/1\.1 502 [\s\S]*"bad_gateway"/,
      )
      expect((await harness.roundTrip('GET / HTTP/1.1', ok)).response).toMatch(/ok$/)
    })

    it('never sends surplus bytes to the next client', async () => {
      for (let count = 0; count < 3; count += 1) {
        const client = await harness.sendRequest(`${get}\r\nConnection: close`)
        const { peer } = await harness.upstream.nextRequest()
        peer.send(`${ok}HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil`)
        expect(await client.waitForClose()).toMatch(/ok$/)
      }
    })
  })

  it('responds with 503 and Retry-After when the service refuses the connection', async () => {
    const nowhere = await startHarness(transport, { target: 'http://127.0.0.1:1' })
    const client = await nowhere.sendRequest(post, '{}')
    const got = await client.waitFor(/"service_unavailable"/)
    expect(got).toMatch(/^HTTP\/1\.1 503 [\s\S]*\r\nretry-after: 1\r\n/i)
    client.socket.destroy()
    await nowhere.close()
  })

  it('responds with 503 when the service does not accept the connection in time', async () => {
    const full = await startFullAcceptQueue()
    const nowhere = await startHarness(transport, { target: full.url, connectMs: 200 })
    const client = await nowhere.sendRequest(post, '{}')
    expect(await client.waitFor(/"service_unavailable"/)).toMatch(/^HTTP\/1\.1 503 [\s\S]*\r\nretry-after: 1\r\n/i)
    client.socket.destroy()
    await nowhere.close()
    full.stop()
  })

  describe('when the service responds before it has read the body', () => {
    const tooLarge = 'HTTP/1.1 413 Content Too Large\r\nContent-Length: 3\r\n\r\nbig'
    const head = 'POST / HTTP/1.1\r\nHost: edge\r\nContent-Length: 50000000'

    it.each([
      ['that is kept open', ''],
      ['that the client closes afterwards', '\r\nConnection: close'],
    ])('sends the response to a client that is still sending, over a connection %s', async (_, more) => {
      const client = await harness.sendRequest(head + more, 'x'.repeat(1_000_000))
      const { peer } = await harness.upstream.nextRequest()
      peer.send(tooLarge)
      peer.socket.end()
      const flood = setInterval(() => client.socket.write('x'.repeat(10_000)), 1)
      await client.waitFor(/^HTTP\/1\.1 413 [\s\S]*big$/)
      clearInterval(flood)
      client.socket.destroy()
    })

    it('lets a client send its whole body before the connection is closed', async () => {
      const length = 30 * megabyte.length
      const client = await harness.sendRequest(
        `POST / HTTP/1.1\r\nHost: edge\r\nConnection: close\r\nContent-Length: ${length}`,
        'x',
      )
      const { peer } = await harness.upstream.nextRequest()
      peer.socket.pause()
      const sent = writeMegabytes(client, 29)
      await waitUntilStable(() => client.socket.bytesWritten)
      peer.send(tooLarge)
      await client.waitFor(/^HTTP\/1\.1 413 [\s\S]*big$/)
      await sent
      await client.write(megabyte.slice(1))
      await client.waitForClose()
      expect(client.socket.errored).toBeNull()
    })

    it('keeps the connection of a client that completes its body', async () => {
      const client = await harness.sendRequest(
        'POST / HTTP/1.1\r\nHost: edge\r\nContent-Length: 100000',
        'x'.repeat(70_000),
      )
      const { peer } = await harness.upstream.nextRequest()
      peer.send(tooLarge)
      await client.waitFor(/big$/)
      await client.write(`${'x'.repeat(30_000)}${get}\r\n\r\n`)
      const next = await harness.upstream.nextRequest()
      next.peer.send(ok)
      await client.waitFor(/big[\s\S]*ok$/)
      client.socket.destroy()
    })
  })

  describe('connections to a service', () => {
    it('are reused', async () => {
      for (let count = 0; count < 5; count += 1)
        expect((await harness.roundTrip('GET / HTTP/1.1', ok)).response).toMatch(/ok$/)
      expect(harness.upstream.connections()).toBe(1)
    })

    it('are closed when the service asks for it', async () => {
      const last = ok.replace('\r\n', '\r\nConnection: close\r\n')
      for (let count = 0; count < 3; count += 1)
        expect((await harness.roundTrip('GET / HTTP/1.1', last)).response).toMatch(/ok$/)
      expect(harness.upstream.connections()).toBe(3)
    })
  })
})

describe('the buffered transport', () => {
  it('responds with 502 to an unrequested 100 Continue', async () => {
    const harness = await startHarness('buffered')
    const { response } = await harness.roundTrip('GET / HTTP/1.1', `HTTP/1.1 100 Continue\r\n\r\n${ok}`)
    expect(response).toMatch(/^HTTP\/1\.1 502 /)
    await harness.close()
  })

  it('responds with 503 and sends nothing when no connection becomes available in time', async () => {
    const harness = await startHarness('buffered', { connections: 1, idleMs: 300 })
    const first = await harness.sendRequest(post, '{}')
    const { peer } = await harness.upstream.nextRequest()
    const second = await harness.sendRequest(post, '{}')
    await first.waitFor(/"gateway_timeout"/)
    await second.waitFor(/"service_unavailable"/)
    expect(peer.received().match(/POST/g)).toHaveLength(1)
    expect(harness.upstream.connections()).toBeLessThanOrEqual(2)
    for (const client of [first, second]) client.socket.destroy()
    await harness.close()
  })

  it('queues requests beyond the connection limit and rejects those beyond the queue', async () => {
    const harness = await startHarness('buffered', { connections: 2 })
    const all = await Promise.all(Array.from({ length: 11 }, () => harness.sendRequest(get)))
    const [first, second] = [await harness.upstream.nextRequest(), await harness.upstream.nextRequest()]
    // Their connections may be accepted in any order.
    const rejected = await eventually(() => all.find((client) => client.received().includes('"service_unavailable"')))
    expect(rejected.received()).toMatch(/^HTTP\/1\.1 503 [\s\S]*retry-after/i)
    const clients = all.filter((client) => client !== rejected)
    let peers = [first.peer, second.peer]
    for (let answered = 0; answered < 10; answered += 2) {
      for (const peer of peers) peer.send(ok)
      if (answered < 8)
        peers = [(await harness.upstream.nextRequest()).peer, (await harness.upstream.nextRequest()).peer]
    }
    for (const client of clients) await client.waitFor(/ok$/)
    expect(harness.upstream.connections()).toBe(2)
    for (const client of all) client.socket.destroy()
    await harness.close()
  })
})
