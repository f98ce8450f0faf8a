import { afterEach, describe, expect, it } from '@jest/globals'
import { type TransportName, transportFor } from '../../src/forward/transport.ts'
import { type Harness, startHarness } from './harness.ts'

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'
const get = 'GET / HTTP/1.1\r\nHost: edge'

describe.each(['buffered', 'streaming'] as const)(
  'the %s transport when a connection to a service breaks',
  (transport) => {
    let harness: Harness
    afterEach(() => harness.close())

    /** Sends a request over a reused connection, which the service resets after writing `partial`. */
    async function sendAndReset(head: string, body = '', partial = '') {
      harness = await startHarness(transport)
      await harness.roundTrip('GET / HTTP/1.1', ok)
      const client = await harness.sendRequest(head, body)
      const { peer } = await harness.upstream.nextRequest()
      expect(harness.upstream.connections()).toBe(1)
      if (body !== '') await peer.waitFor(/\{\}/)
      peer.socket.write(partial, () => peer.socket.resetAndDestroy())
      return client
    }
    const retries = async () => /^edge_retries\{.*\} (\d+)$/m.exec(await harness.metrics.registry.metrics())?.[1]

    it.each(['GET', 'HEAD'])('retries a %s once over a new connection', async (method) => {
      const client = await sendAndReset(`${method} / HTTP/1.1\r\nHost: edge`)
      const { peer } = await harness.upstream.nextRequest()
      expect(harness.upstream.connections()).toBe(2)
      peer.send(method === 'HEAD' ? ok.slice(0, -2) : ok)
      expect(await client.waitFor(/\r\n\r\n/)).toMatch(/^HTTP\/1\.1 200 OK/)
      expect(await retries()).toBe('1')
      client.socket.destroy()
    })

    it('closes it before the time is over that the service announces', async () => {
      harness = await startHarness(transport)
      const client = await harness.sendRequest(get)
      const { peer } = await harness.upstream.nextRequest()
      peer.send(ok.replace('\r\n', '\r\nConnection: keep-alive\r\nKeep-Alive: timeout=2\r\n'))
      await peer.waitForClose()
      client.socket.destroy()
    })

    it('does not retry over another reused connection', async () => {
      harness = await startHarness(transport)
      const both = [await harness.sendRequest(get), await harness.sendRequest(get)]
      const kept = [(await harness.upstream.nextRequest()).peer, (await harness.upstream.nextRequest()).peer]
      for (const peer of kept) peer.send(ok)
      for (const client of both) await client.waitFor(/ok$/)
      const client = await harness.sendRequest(get)
      const { peer } = await harness.upstream.nextRequest()
      expect(kept).toContain(peer)
      peer.socket.resetAndDestroy()
      const retry = await harness.upstream.nextRequest()
      expect(kept).not.toContain(retry.peer)
      for (const each of [client, ...both]) each.socket.destroy()
    })

    it('responds with 502 when the retry fails', async () => {
      const client = await sendAndReset(get)
      const { peer } = await harness.upstream.nextRequest()
      peer.socket.destroy()
      expect(await client.waitFor(/"bad_gateway"/)).toMatch(/^HTTP\/1\.1 502 /)
      expect(harness.upstream.connections()).toBe(2)
      client.socket.destroy()
    })

    it.each([
      ['a POST', 'POST / HTTP/1.1\r\nHost: edge\r\nContent-Length: 2', '{}', ''],
      ['a POST without a body', 'POST / HTTP/1.1\r\nHost: edge', '', ''],
      ['a DELETE', 'DELETE / HTTP/1.1\r\nHost: edge', '', ''],
      ['a GET with a body', `${get}\r\nContent-Length: 2`, '{}', ''],
      ['a GET with a body of chunks', `${get}\r\nTransfer-Encoding: chunked`, '2\r\n{}\r\n', ''],
      ['a GET after the first byte of its response', get, '', 'H'],
    ])('does not retry %s', async (_, head, body, partial) => {
      const client = await sendAndReset(head, body, partial)
      expect(await client.waitFor(/"bad_gateway"/)).toMatch(/^HTTP\/1\.1 502 /)
      expect(harness.upstream.connections()).toBe(1)
      expect(await retries()).toBeUndefined()
      client.socket.destroy()
    })
  },
)

describe.each(['buffered', 'streaming'] as const)('the circuit breaker of the %s transport', (transport) => {
  let harness: Harness
  let clock = 1_000_000
  afterEach(() => harness.close())
  const circuit = { failures: 3, openMs: 60_000 }
  const state = async () => /^edge_circuit\{.*\} (\d)$/m.exec(await harness.metrics.registry.metrics())?.[1]

  async function fail(times: number) {
    for (let count = 0; count < times; count += 1) {
      const client = await harness.sendRequest('POST / HTTP/1.1\r\nHost: edge')
      const { peer } = await harness.upstream.nextRequest()
      peer.socket.destroy()
      await client.waitFor(/"bad_gateway"/)
      client.socket.destroy()
    }
  }
  async function openCircuit() {
    harness = await startHarness(transport, { circuit, now: () => clock })
    await fail(3)
  }
  const sendRejected = async () => {
    const client = await harness.sendRequest(get)
    const got = await client.waitFor(/"service_unavailable"/)
    client.socket.destroy()
    return got
  }

  it('rejects requests with Retry-After while it is open', async () => {
    await openCircuit()
    expect(await state()).toBe('2')
    expect(await sendRejected()).toMatch(/^HTTP\/1\.1 503 [\s\S]*\r\nretry-after: 60\r\n/i)
    clock += 59_500
    expect(await sendRejected()).toMatch(/\r\nretry-after: 1\r\n/i)
    expect(harness.upstream.connections()).toBe(3)
  })

  it('sends a single probe, and closes when it is answered', async () => {
    await openCircuit()
    clock += 60_000
    const first = await harness.sendRequest(get)
    const { peer } = await harness.upstream.nextRequest()
    expect(await state()).toBe('1')
    expect(await sendRejected()).toMatch(/^HTTP\/1\.1 503 /)
    peer.send(ok)
    await first.waitFor(/ok$/)
    expect(await state()).toBe('0')
    expect((await harness.roundTrip('GET / HTTP/1.1', ok)).response).toMatch(/ok$/)
    first.socket.destroy()
  })

  it('sends another probe when the client of the first one leaves', async () => {
    await openCircuit()
    clock += 60_000
    const first = await harness.sendRequest(get)
    const { peer } = await harness.upstream.nextRequest()
    first.socket.destroy()
    await peer.waitForClose()
    expect((await harness.roundTrip('GET / HTTP/1.1', ok)).response).toMatch(/ok$/)
  })

  it('opens when a service is silent', async () => {
    harness = await startHarness(transport, { circuit: { ...circuit, failures: 1 }, idleMs: 400, now: () => clock })
    const client = await harness.sendRequest(get)
    await client.waitFor(/"gateway_timeout"/)
    expect(await sendRejected()).toMatch(/^HTTP\/1\.1 503 /)
    client.socket.destroy()
  })

  it('stays closed for error responses, slow clients and clients that leave', async () => {
    harness = await startHarness(transport, {
      circuit: { ...circuit, failures: 1 },
      slowBody: { windowMs: 50, bytesPerSecond: 1e6 },
      now: () => clock,
    })
    for (const status of ['500 Oh', '503 No', '504 Slow'])
      await harness.roundTrip('GET / HTTP/1.1', `HTTP/1.1 ${status}\r\nContent-Length: 0\r\n\r\n`)
    await harness.roundTrip('GET / HTTP/1.1', 'nonsense\r\n\r\n')
    const slow = await harness.sendRequest('POST / HTTP/1.1\r\nHost: edge\r\nContent-Length: 100000', 'part')
    await slow.waitFor(/"request_timeout"/)
    const left = await harness.sendRequest(`${get}\r\nX-Left: 1`)
    const { peer } = await harness.upstream.nextRequest()
    left.socket.destroy()
    await peer.waitForClose()
    slow.socket.destroy()
    expect(await state()).toBeUndefined()
  })
})

describe('transportFor', () => {
  const definition = { id: 'data.x', method: 'GET', path: '/v1/data/x', summary: '' } as const
  it.each<[string, Parameters<typeof transportFor>[0], TransportName]>([
    ['a JSON endpoint', definition, 'buffered'],
    ['a page', { ...definition, response: 'html' }, 'buffered'],
    ['a token endpoint', { ...definition, limitClass: 'token' }, 'buffered'],
    ['an event stream', { ...definition, response: 'events' }, 'streaming'],
    ['a file', { ...definition, response: 'file' }, 'streaming'],
    ['an upload', { ...definition, limitClass: 'upload' }, 'streaming'],
    ['a streamed request body', { ...definition, input: 'stream' }, 'streaming'],
    ['a long operation', { ...definition, limitClass: 'long' }, 'streaming'],
  ])('chooses the transport of %s', (_, endpoint, transport) => expect(transportFor(endpoint)).toBe(transport))
})
