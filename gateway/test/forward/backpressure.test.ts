import { afterEach, describe, expect, it } from '@jest/globals'
import { eventually } from '@wp/testkit'
import type { RawConnection } from '../raw-connection.ts'
import { megabyte, passing, pour, standstill } from './flow.ts'
import { type Harness, type Peer, startHarness } from './harness.ts'

const get = 'GET / HTTP/1.1\r\nHost: edge'

describe.each(['buffered', 'streaming'] as const)('by %s', (carrier) => {
  let rig: Harness
  afterEach(() => rig.stop())

  describe('whoever is slow', () => {
    it('as a service pauses the client', async () => {
      rig = await startHarness(carrier)
      const client = await rig.ask('POST / HTTP/1.1\r\nHost: edge\r\nContent-Length: 1000000000', 'x')
      const { peer } = await rig.upstream.request()
      peer.socket.pause()
      pour(client.socket)
      const taken = await standstill(() => client.socket.bytesWritten)
      expect(taken).toBeLessThan(64 * megabyte.length)
      peer.socket.resume()
      await eventually(() => client.socket.bytesWritten > taken + 4 * megabyte.length)
      client.socket.destroy()
      await peer.untilClosed()
    })

    it('as a client pauses the service', async () => {
      rig = await startHarness(carrier)
      const client = await rig.ask(get)
      const { peer } = await rig.upstream.request()
      client.socket.pause()
      peer.say('HTTP/1.1 200 OK\r\n\r\n')
      const given = () => peer.socket.bytesWritten
      pour(peer.socket)
      const taken = await standstill(given)
      expect(taken).toBeLessThan(64 * megabyte.length)
      client.socket.resume()
      await eventually(() => given() > taken + 4 * megabyte.length)
      client.socket.destroy()
      await peer.untilClosed()
    })

    it('as a client for too long is let go, and so is the service', async () => {
      rig = await startHarness(carrier, { idleMs: 200 })
      const client = await rig.ask(get)
      const { peer } = await rig.upstream.request()
      client.socket.pause()
      peer.say('HTTP/1.1 200 OK\r\n\r\n')
      pour(peer.socket)
      await peer.untilClosed()
      client.socket.destroy()
    })
  })

  describe('a stream of events', () => {
    const events = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n'
    async function listen(options: Parameters<typeof startHarness>[1]): Promise<{ client: RawConnection; peer: Peer }> {
      rig = await startHarness(carrier, options)
      const client = await rig.ask(`${get}\r\nConnection: close`)
      const { peer } = await rig.upstream.request()
      peer.say(events)
      await client.until(/\r\n\r\n$/) // the head does not wait for an event
      return { client, peer }
    }

    it('ends between two events when the edge ends its streams, and the service is left', async () => {
      const { client, peer } = await listen({})
      peer.say('data: 1\n\ndata: 2')
      await client.until(/data: 2/)
      rig.openStreams.end()
      peer.say('\n\ndata: 3\n\n')
      const got = await client.untilClosed()
      expect(got).toContain('data: 2\r\n2\r\n\n\n\r\nd\r\nretry: 1000\n\n\r\n0\r\n\r\n')
      expect(got).not.toContain('data: 3')
      await peer.untilClosed()
      expect(rig.openStreams.size()).toBe(0)
    })
  })
})

describe('a stream of events by streams', () => {
  let rig: Harness
  afterEach(() => rig.stop())

  it('may be silent for longer than another answer, but not for ever', async () => {
    rig = await startHarness('streaming', { idleMs: 50, eventsIdleMs: 300 })
    const client = await rig.ask(`${get}\r\nConnection: close`)
    const { peer } = await rig.upstream.request()
    peer.say('HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n')
    for (let count = 1; count <= 3; count += 1) {
      await passing(120)
      peer.say(`data: ${count}\n\n`)
      await client.until(new RegExp(`data: ${count}`))
    }
    expect(await client.untilClosed()).toMatch(/data: 3\n\n[\s\S]*retry: 1000\n\n\r\n0\r\n\r\n$/)
    await peer.untilClosed()
  })
})
