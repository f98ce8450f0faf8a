import { afterEach, describe, expect, it } from '@jest/globals'
import { type TransportName, transportFor } from '../../src/forward/transport.ts'
import { type Harness, startHarness } from './harness.ts'

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'
const get = 'GET / HTTP/1.1\r\nHost: edge'

describe.each(['buffered', 'streaming'] as const)('a connection to a service that breaks, by %s', (carrier) => {
  let rig: Harness
  afterEach(() => rig.stop())

  /** Asks once, so that a connection is kept; then asks again, and the service ends it. */
  async function broken(head: string, body = '', said = '') {
    rig = await startHarness(carrier)
    await rig.roundTrip('GET / HTTP/1.1', ok)
    const client = await rig.ask(head, body)
    const { peer } = await rig.upstream.request()
    expect(rig.upstream.connections()).toBe(1)
    if (body !== '') await peer.until(/\{\}/)
    peer.socket.write(said, () => peer.socket.resetAndDestroy())
    return client
  }
  const retries = async () => /^edge_retries\{.*\} (\d+)$/m.exec(await rig.metrics.registry.metrics())?.[1]

  it.each(['GET', 'HEAD'])('has a %s sent again over a new one, once', async (method) => {
    const client = await broken(`${method} / HTTP/1.1\r\nHost: edge`)
    const { peer } = await rig.upstream.request()
    expect(rig.upstream.connections()).toBe(2)
    peer.say(method === 'HEAD' ? ok.slice(0, -2) : ok)
    expect(await client.until(/\r\n\r\n/)).toMatch(/^HTTP\/1\.1 200 OK/)
    expect(await retries()).toBe('1')
    client.socket.destroy()
  })

  it('is not taken for another that was kept', async () => {
    rig = await startHarness(carrier)
    const both = [await rig.ask(get), await rig.ask(get)]
    const kept = [(await rig.upstream.request()).peer, (await rig.upstream.request()).peer]
    for (const peer of kept) peer.say(ok)
    for (const client of both) await client.until(/ok$/)
    const client = await rig.ask(get)
    const { peer } = await rig.upstream.request()
    expect(kept).toContain(peer)
    peer.socket.resetAndDestroy()
    const again = await rig.upstream.request()
    expect(kept).not.toContain(again.peer)
    for (const each of [client, ...both]) each.socket.destroy()
  })

  it('is 502 when it breaks again', async () => {
    const client = await broken(get)
    const { peer } = await rig.upstream.request()
    peer.socket.destroy()
    expect(await client.until(/"bad_gateway"/)).toMatch(/^HTTP\/1\.1 502 /)
    expect(rig.upstream.connections()).toBe(2)
    client.socket.destroy()
  })

  it.each([
    ['a POST', 'POST / HTTP/1.1\r\nHost: edge\r\nContent-Length: 2', '{}', ''],
    ['a POST without a body', 'POST / HTTP/1.1\r\nHost: edge', '', ''],
    ['a DELETE', 'DELETE / HTTP/1.1\r\nHost: edge', '', ''],
    ['a GET with a body', `${get}\r\nContent-Length: 2`, '{}', ''],
    ['a GET with a body of chunks', `${get}\r\nTransfer-Encoding: chunked`, '2\r\n{}\r\n', ''],
    ['a GET of whose answer a byte has come', get, '', 'H'],
  ])('does not have %s sent again', async (_, head, body, said) => {
    const client = await broken(head, body, said)
    expect(await client.until(/"bad_gateway"/)).toMatch(/^HTTP\/1\.1 502 /)
    expect(rig.upstream.connections()).toBe(1)
    expect(await retries()).toBeUndefined()
    client.socket.destroy()
  })
})

describe.each(['buffered', 'streaming'] as const)('a service that cannot be reached, by %s', (carrier) => {
  let rig: Harness
  let clock = 1_000_000
  afterEach(() => rig.stop())
  const circuit = { failures: 3, openMs: 60_000 }
  const state = async () => /^edge_circuit\{.*\} (\d)$/m.exec(await rig.metrics.registry.metrics())?.[1]

  async function fail(times: number) {
    for (let count = 0; count < times; count += 1) {
      const client = await rig.ask('POST / HTTP/1.1\r\nHost: edge')
      const { peer } = await rig.upstream.request()
      peer.socket.destroy()
      await client.until(/"bad_gateway"/)
      client.socket.destroy()
    }
  }
  async function open() {
    rig = await startHarness(carrier, { circuit, now: () => clock })
    await fail(3)
  }
  const refused = async () => {
    const client = await rig.ask(get)
    const got = await client.until(/"service_unavailable"/)
    client.socket.destroy()
    return got
  }

  it('is not asked for a while, and clients are told for how long', async () => {
    await open()
    expect(await state()).toBe('2')
    expect(await refused()).toMatch(/^HTTP\/1\.1 503 [\s\S]*\r\nretry-after: 60\r\n/i)
    clock += 59_500
    expect(await refused()).toMatch(/\r\nretry-after: 1\r\n/i)
    expect(rig.upstream.connections()).toBe(3)
  })

  it('is asked by one request then, and by all when that one is answered', async () => {
    await open()
    clock += 60_000
    const first = await rig.ask(get)
    const { peer } = await rig.upstream.request()
    expect(await state()).toBe('1')
    expect(await refused()).toMatch(/^HTTP\/1\.1 503 /)
    peer.say(ok)
    await first.until(/ok$/)
    expect(await state()).toBe('0')
    expect((await rig.roundTrip('GET / HTTP/1.1', ok)).got).toMatch(/ok$/)
    first.socket.destroy()
  })

  it('is asked by another when the first one leaves', async () => {
    await open()
    clock += 60_000
    const first = await rig.ask(get)
    const { peer } = await rig.upstream.request()
    first.socket.destroy()
    await peer.untilClosed()
    expect((await rig.roundTrip('GET / HTTP/1.1', ok)).got).toMatch(/ok$/)
  })

  it('is also one that is silent', async () => {
    rig = await startHarness(carrier, { circuit: { ...circuit, failures: 1 }, idleMs: 400, now: () => clock })
    const client = await rig.ask(get)
    await client.until(/"gateway_timeout"/)
    expect(await refused()).toMatch(/^HTTP\/1\.1 503 /)
    client.socket.destroy()
  })

  it('is not one that has errors of its own, nor one whose clients are slow or leave', async () => {
    rig = await startHarness(carrier, {
      circuit: { ...circuit, failures: 1 },
      slowBody: { windowMs: 50, bytesPerSecond: 1e6 },
      now: () => clock,
    })
    for (const status of ['500 Oh', '503 No', '504 Slow'])
      await rig.roundTrip('GET / HTTP/1.1', `HTTP/1.1 ${status}\r\nContent-Length: 0\r\n\r\n`)
    await rig.roundTrip('GET / HTTP/1.1', 'nonsense\r\n\r\n')
    const slow = await rig.ask('POST / HTTP/1.1\r\nHost: edge\r\nContent-Length: 100000', 'part')
    await slow.until(/"request_timeout"/)
    const left = await rig.ask(`${get}\r\nX-Left: 1`)
    const { peer } = await rig.upstream.request()
    left.socket.destroy()
    await peer.untilClosed()
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
