import { afterEach, describe, expect, it } from '@jest/globals'
import { eventually } from '@wp/testkit'
import type { RawConnection } from '../raw-connection.ts'
import { type Harness, type Peer, startHarness } from './harness.ts'
import { elapse, megabyte, waitUntilStable, writeContinuously } from './slow-io.ts'

const get = 'GET / HTTP/1.1\r\nHost: edge'

describe.each(['buffered', 'streaming'] as const)('the %s transport', (transport) => {
  let harness: Harness
  afterEach(() => harness.close())

  describe('under backpressure', () => {
    it('stops reading from the client when the service does not read', async () => {
      harness = await startHarness(transport)
      const client = await harness.sendRequest('POST / HTTP/1.1\r\nHost: edge\r\nContent-Length: 1000000000', 'x')
      const { peer } = await harness.upstream.nextRequest()
      peer.socket.pause()
      writeContinuously(client.socket)
      const taken = await waitUntilStable(() => client.socket.bytesWritten)
      expect(taken).toBeLessThan(64 * megabyte.length)
      peer.socket.resume()
      await eventually(() => client.socket.bytesWritten > taken + 4 * megabyte.length)
      client.socket.destroy()
      await peer.waitForClose()
    })

    it('stops reading from the service when the client does not read', async () => {
      harness = await startHarness(transport)
      const client = await harness.sendRequest(get)
      const { peer } = await harness.upstream.nextRequest()
      client.socket.pause()
      peer.send('HTTP/1.1 200 OK\r\n\r\n')
      const given = () => peer.socket.bytesWritten
      writeContinuously(peer.socket)
      const taken = await waitUntilStable(given)
      expect(taken).toBeLessThan(64 * megabyte.length)
      client.socket.resume()
      await eventually(() => given() > taken + 4 * megabyte.length)
      client.socket.destroy()
      await peer.waitForClose()
    })

    it('closes both connections when the client does not read for too long', async () => {
      harness = await startHarness(transport, { idleMs: 200 })
      const client = await harness.sendRequest(get)
      const { peer } = await harness.upstream.nextRequest()
      client.socket.pause()
      peer.send('HTTP/1.1 200 OK\r\n\r\n')
      writeContinuously(peer.socket)
      await peer.waitForClose()
      client.socket.destroy()
    })
  })

  describe('with an event stream', () => {
    const events = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n'
    async function listen(options: Parameters<typeof startHarness>[1]): Promise<{ client: RawConnection; peer: Peer }> {
      harness = await startHarness(transport, options)
      const client = await harness.sendRequest(`${get}\r\nConnection: close`)
      const { peer } = await harness.upstream.nextRequest()
      peer.send(events)
      await client.waitFor(/\r\n\r\n$/) // the head is sent before the first event
      return { client, peer }
    }

    it('ends it between two events when the edge drains, and closes the connection to the service', async () => {
      const { client, peer } = await listen({})
      peer.send('data: 1\n\ndata: 2')
      await client.waitFor(/data: 2/)
      harness.openStreams.end()
      peer.send('\n\ndata: 3\n\n')
      const got = await client.waitForClose()
      expect(got).toContain('data: 2\r\n2\r\n\n\n\r\nd\r\nretry: 1000\n\n\r\n0\r\n\r\n')
      expect(got).not.toContain('data: 3')
      await peer.waitForClose()
      // The edge notices the closed connection after the client does.
      await eventually(() => harness.openStreams.size() === 0)
    })
  })
})

describe('an event stream over the streaming transport', () => {
  let harness: Harness
  afterEach(() => harness.close())

  it('may be silent for longer than other responses, up to its own limit', async () => {
    harness = await startHarness('streaming', { idleMs: 300, eventsIdleMs: 3_000 })
    const client = await harness.sendRequest(`${get}\r\nConnection: close`)
    const { peer } = await harness.upstream.nextRequest()
    peer.send('HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n')
    for (let count = 1; count <= 3; count += 1) {
      await elapse(500)
      peer.send(`data: ${count}\n\n`)
      await client.waitFor(new RegExp(`data: ${count}`))
    }
    expect(await client.waitForClose()).toMatch(/data: 3\n\n[\s\S]*retry: 1000\n\n\r\n0\r\n\r\n$/)
    await peer.waitForClose()
  })
})
