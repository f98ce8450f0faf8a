import { afterEach, describe, expect, it } from '@jest/globals'
import { eventually } from '@wp/testkit'
import { flood, megabyte, passing, standstill } from './flow.ts'
import { type Harness, startHarness } from './harness.ts'

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'
const get = 'GET / HTTP/1.1\r\nHost: edge'

describe.each(['buffered', 'streaming'] as const)('by %s', (carrier) => {
  let rig: Harness
  afterEach(() => rig.stop())

  describe('a service that is silent', () => {
    it('before its answer is 504', async () => {
      rig = await startHarness(carrier, { idleMs: 400 })
      for (const [head, body] of [
        [get, ''],
        ['POST / HTTP/1.1\r\nHost: edge\r\nContent-Length: 2', '{}'],
      ] as const) {
        const client = await rig.ask(head, body)
        const { peer } = await rig.upstream.request()
        expect(await client.until(/"gateway_timeout"/)).toMatch(/^HTTP\/1\.1 504 /)
        await peer.untilClosed()
        // the client's connection goes on
        await client.write(`${get}\r\n\r\n`)
        const next = await rig.upstream.request()
        next.peer.say(ok)
        await client.until(/504[\s\S]*200 OK[\s\S]*ok$/)
        client.socket.destroy()
      }
    })

    it('within its answer cuts it', async () => {
      rig = await startHarness(carrier, { idleMs: 400 })
      const client = await rig.ask(get)
      const { peer } = await rig.upstream.request()
      peer.say('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart')
      expect(await client.untilClosed()).toMatch(/part$/)
      await peer.untilClosed()
    })

    it('and does not read a long body either, is 504', async () => {
      rig = await startHarness(carrier, { idleMs: 400, slowBody: { windowMs: 100, bytesPerSecond: 1e6 } })
      const client = await rig.ask('POST / HTTP/1.1\r\nHost: edge\r\nContent-Length: 64000000', 'x')
      const { peer } = await rig.upstream.request()
      peer.socket.pause()
      for (let sent = 0; sent < 64; sent += 1) client.socket.write(megabyte)
      expect(await client.until(/"gateway_timeout"/)).toMatch(/^HTTP\/1\.1 504 /)
      client.socket.destroy()
    })

    it('is not one that answers a little at a time', async () => {
      rig = await startHarness(carrier, { idleMs: 400 })
      const client = await rig.ask(`${get}\r\nConnection: close`)
      const { peer } = await rig.upstream.request()
      peer.say('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n')
      for (let sent = 1; sent <= 10; sent += 1) {
        peer.say('x')
        await client.until(new RegExp(`x{${sent}}$`))
        await passing(60)
      }
      expect(await client.untilClosed()).toMatch(/x{10}$/)
    })
  })

  describe('a body', () => {
    const arrival = { windowMs: 200, bytesPerSecond: 1000 }
    const heads = [
      ['short', 'POST / HTTP/1.1\r\nHost: edge\r\nContent-Length: 1000', '{'],
      ['long', 'POST / HTTP/1.1\r\nHost: edge\r\nContent-Length: 1000000', '{'],
      ['chunked', 'POST / HTTP/1.1\r\nHost: edge\r\nTransfer-Encoding: chunked', '1\r\n{\r\n'],
    ] as const

    it.each(heads)('that stands still is 408: %s', async (_, head, part) => {
      rig = await startHarness(carrier, { slowBody: arrival })
      const client = await rig.ask(head, part)
      expect(await client.until(/"request_timeout"/)).toMatch(/^HTTP\/1\.1 408 /)
      client.socket.destroy()
    })

    it.each(heads)(
      'that stands still for longer than a service may be silent is not the fault of the service: %s',
      async (_, head, part) => {
        rig = await startHarness(carrier, {
          idleMs: 100,
          circuit: { failures: 1, openMs: 60_000 },
          slowBody: { ...arrival, windowMs: 500 },
        })
        const client = await rig.ask(head, part)
        expect(await client.until(/"request_timeout"/)).toMatch(/^HTTP\/1\.1 408 /)
        client.socket.destroy()
        expect(await rig.metrics.registry.metrics()).not.toContain('edge_circuit')
      },
    )

    it.each(heads)('that drips is 408: %s', async (_, head, part) => {
      rig = await startHarness(carrier, { slowBody: arrival })
      const client = await rig.ask(head, part)
      const drip = setInterval(() => client.socket.write(part), 50)
      expect(await client.until(/"request_timeout"/)).toMatch(/^HTTP\/1\.1 408 /)
      clearInterval(drip)
      client.socket.destroy()
    })

    it('that drips after its answer has begun is cut, and the service is left', async () => {
      rig = await startHarness(carrier, { slowBody: arrival })
      const client = await rig.ask(
        'POST / HTTP/1.1\r\nHost: edge\r\nContent-Length: 1000000',
        megabyte.slice(0, 70_000),
      )
      const { peer } = await rig.upstream.request()
      peer.say('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart')
      await client.until(/part$/)
      await client.untilClosed()
      await peer.untilClosed()
    })

    it('that is short and comes too late leaves the connection for what follows', async () => {
      rig = await startHarness(carrier, { slowBody: arrival })
      const client = await rig.ask('POST / HTTP/1.1\r\nHost: edge\r\nContent-Length: 1000', '{')
      await client.until(/"request_timeout"/)
      await client.write(`${'x'.repeat(999)}${get}\r\nX-Next: 1\r\n\r\n`)
      const next = await rig.upstream.request()
      const { peer } = next.head.includes('x-next') ? next : await rig.upstream.request()
      peer.say(ok)
      await client.until(/408[\s\S]*200 OK[\s\S]*ok$/)
      client.socket.destroy()
    })

    it('that comes as fast as it must is taken', async () => {
      rig = await startHarness(carrier, { slowBody: arrival })
      const client = await rig.ask('POST / HTTP/1.1\r\nHost: edge\r\nConnection: close\r\nContent-Length: 800')
      for (let sent = 0; sent < 8; sent += 1) {
        await client.write('x'.repeat(100))
        await passing(50)
      }
      const { peer } = await rig.upstream.request()
      await peer.until(/x{800}$/)
      peer.say(ok)
      expect(await client.untilClosed()).toMatch(/200 OK[\s\S]*ok$/)
    })

    it('that waits because the service does not read is not the fault of its client', async () => {
      rig = await startHarness(carrier, { slowBody: { windowMs: 50, bytesPerSecond: 1e6 } })
      const length = 40 * megabyte.length
      const client = await rig.ask(
        `POST / HTTP/1.1\r\nHost: edge\r\nConnection: close\r\nContent-Length: ${length + 1}`,
        'x',
      )
      const { peer } = await rig.upstream.request()
      peer.socket.pause()
      const sent = flood(client, 40)
      await standstill(() => client.socket.bytesWritten)
      await passing(200)
      expect(client.said()).toBe('')
      peer.socket.resume()
      await sent
      await eventually(() => peer.received().length > length)
      peer.say(ok)
      expect(await client.untilClosed()).toMatch(/200 OK[\s\S]*ok$/)
    })
  })
})
