import { afterEach, describe, expect, it } from '@jest/globals'
import { eventually } from '@wp/testkit'
import { type Harness, startHarness } from './harness.ts'
import { elapse, megabyte, waitUntilStable, writeMegabytes } from './slow-io.ts'

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'
const get = 'GET / HTTP/1.1\r\nHost: edge'

describe.each(['buffered', 'streaming'] as const)('the %s transport', (transport) => {
  let harness: Harness
  afterEach(() => harness.close())

  describe('with a silent service', () => {
    it('responds with 504 when it sends no response', async () => {
      harness = await startHarness(transport, { idleMs: 400 })
      for (const [head, body] of [
        [get, ''],
        ['POST / HTTP/1.1\r\nHost: edge\r\nContent-Length: 2', '{}'],
      ] as const) {
        const client = await harness.sendRequest(head, body)
        const { peer } = await harness.upstream.nextRequest()
        expect(await client.waitFor(/"gateway_timeout"/)).toMatch(/^HTTP\/1\.1 504 /)
        await peer.waitForClose()
        // the client's connection stays usable
        await client.write(`${get}\r\n\r\n`)
        const next = await harness.upstream.nextRequest()
        next.peer.send(ok)
        await client.waitFor(/504[\s\S]*200 OK[\s\S]*ok$/)
        client.socket.destroy()
      }
    })

    it('aborts the response when it is incomplete', async () => {
      harness = await startHarness(transport, { idleMs: 400 })
      const client = await harness.sendRequest(get)
      const { peer } = await harness.upstream.nextRequest()
      peer.send('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart')
      expect(await client.waitForClose()).toMatch(/part$/)
      await peer.waitForClose()
    })

    it('responds with 504 when it does not read a long body', async () => {
      harness = await startHarness(transport, { idleMs: 400, slowBody: { windowMs: 100, bytesPerSecond: 1e6 } })
      const client = await harness.sendRequest('POST / HTTP/1.1\r\nHost: edge\r\nContent-Length: 64000000', 'x')
      const { peer } = await harness.upstream.nextRequest()
      peer.socket.pause()
      // more than all buffers between client and service; the edge reads and drops it in time on a busy machine, too
      for (let sent = 0; sent < 24; sent += 1) client.socket.write(megabyte)
      expect(await client.waitFor(/"gateway_timeout"/)).toMatch(/^HTTP\/1\.1 504 /)
      client.socket.destroy()
    })

    it('forwards a response that arrives slowly but steadily', async () => {
      harness = await startHarness(transport, { idleMs: 3_000 })
      const client = await harness.sendRequest(`${get}\r\nConnection: close`)
      const { peer } = await harness.upstream.nextRequest()
      peer.send('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n')
      for (let sent = 1; sent <= 10; sent += 1) {
        peer.send('x')
        await client.waitFor(new RegExp(`x{${sent}}$`))
        await elapse(350)
      }
      expect(await client.waitForClose()).toMatch(/x{10}$/)
    })
  })

  describe('with a slow request body', () => {
    // far from both the drips (at most 120 bytes a second) and the accepted speed (2000)
    const slowBody = { windowMs: 200, bytesPerSecond: 300 }
    const heads = [
      ['short', 'POST / HTTP/1.1\r\nHost: edge\r\nContent-Length: 1000', '{'],
      ['long', 'POST / HTTP/1.1\r\nHost: edge\r\nContent-Length: 1000000', '{'],
      ['chunked', 'POST / HTTP/1.1\r\nHost: edge\r\nTransfer-Encoding: chunked', '1\r\n{\r\n'],
    ] as const

    it.each(heads)('responds with 408 when it stalls: %s', async (_, head, part) => {
      harness = await startHarness(transport, { slowBody })
      const client = await harness.sendRequest(head, part)
      expect(await client.waitFor(/"request_timeout"/)).toMatch(/^HTTP\/1\.1 408 /)
      client.socket.destroy()
    })

    it.each(heads)(
      'does not blame the service when it stalls for longer than the service may: %s',
      async (_, head, part) => {
        harness = await startHarness(transport, {
          idleMs: 100,
          circuit: { failures: 1, openMs: 60_000 },
          slowBody: { ...slowBody, windowMs: 500 },
        })
        const client = await harness.sendRequest(head, part)
        expect(await client.waitFor(/"request_timeout"/)).toMatch(/^HTTP\/1\.1 408 /)
        client.socket.destroy()
        expect(await harness.metrics.registry.metrics()).not.toContain('edge_circuit')
      },
    )

    it.each(heads)('responds with 408 when it drips: %s', async (_, head, part) => {
      harness = await startHarness(transport, { slowBody })
      const client = await harness.sendRequest(head, part)
      const drip = setInterval(() => client.socket.write(part), 50)
      expect(await client.waitFor(/"request_timeout"/)).toMatch(/^HTTP\/1\.1 408 /)
      clearInterval(drip)
      client.socket.destroy()
    })

    it('aborts the response and the request when it stalls after the response has started', async () => {
      harness = await startHarness(transport, { slowBody })
      const client = await harness.sendRequest(
        'POST / HTTP/1.1\r\nHost: edge\r\nContent-Length: 1000000',
        megabyte.slice(0, 70_000),
      )
      const { peer } = await harness.upstream.nextRequest()
      peer.send('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart')
      await client.waitFor(/part$/)
      await client.waitForClose()
      await peer.waitForClose()
    })

    it('keeps the connection usable when the rest arrives after the 408', async () => {
      harness = await startHarness(transport, { slowBody })
      const client = await harness.sendRequest('POST / HTTP/1.1\r\nHost: edge\r\nContent-Length: 1000', '{')
      await client.waitFor(/"request_timeout"/)
      await client.write(`${'x'.repeat(999)}${get}\r\nX-Next: 1\r\n\r\n`)
      const next = await harness.upstream.nextRequest()
      const { peer } = next.head.includes('x-next') ? next : await harness.upstream.nextRequest()
      peer.send(ok)
      await client.waitFor(/408[\s\S]*200 OK[\s\S]*ok$/)
      client.socket.destroy()
    })

    it('forwards it when it has the minimum speed', async () => {
      harness = await startHarness(transport, { slowBody })
      const client = await harness.sendRequest(
        'POST / HTTP/1.1\r\nHost: edge\r\nConnection: close\r\nContent-Length: 800',
      )
      for (let sent = 0; sent < 8; sent += 1) {
        await client.write('x'.repeat(100))
        await elapse(50)
      }
      const { peer } = await harness.upstream.nextRequest()
      await peer.waitFor(/x{800}$/)
      peer.send(ok)
      expect(await client.waitForClose()).toMatch(/200 OK[\s\S]*ok$/)
    })

    it('does not count the time in which the service does not read', async () => {
      harness = await startHarness(transport, { slowBody: { windowMs: 50, bytesPerSecond: 1e6 } })
      const length = 40 * megabyte.length
      const client = await harness.sendRequest(
        `POST / HTTP/1.1\r\nHost: edge\r\nConnection: close\r\nContent-Length: ${length + 1}`,
        'x',
      )
      const { peer } = await harness.upstream.nextRequest()
      peer.socket.pause()
      const sent = writeMegabytes(client, 40)
      await waitUntilStable(() => client.socket.bytesWritten)
      await elapse(200)
      expect(client.received()).toBe('')
      peer.socket.resume()
      await sent
      await eventually(() => peer.received().length > length)
      peer.send(ok)
      expect(await client.waitForClose()).toMatch(/200 OK[\s\S]*ok$/)
    })
  })
})
