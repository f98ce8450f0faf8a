import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createOpenStreams, type EventStream, isEventStream, type OpenStreams } from '../../src/forward/sse.ts'
import { openRaw } from '../raw-connection.ts'

/** A server whose responses are event streams that the test writes. */
let server: Server
let base: string
let streams: OpenStreams
let ids: readonly string[]
let beforeOpen: () => void
let opened: PromiseWithResolvers<{ stream: EventStream; response: ServerResponse }>
beforeAll(async () => {
  server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    streams.dependOn(response, ids)
    beforeOpen()
    const stream = streams.open(response)
    opened.resolve({ stream, response })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  base = `http://127.0.0.1:${typeof address === 'object' ? address?.port : undefined}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

async function listen(openStreams = createOpenStreams(), dependencies: readonly string[] = [], change = () => {}) {
  streams = openStreams
  ids = dependencies
  beforeOpen = change
  opened = Promise.withResolvers()
  const client = openRaw(base)
  await client.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  const { stream, response } = await opened.promise
  const write = (text: string) => stream.write(Buffer.from(text))
  const received = async () => {
    const all = await client.waitForClose()
    return unchunk(all.slice(all.indexOf('\r\n\r\n') + 4))
  }
  return { client, stream, response, write, received }
}

function unchunk(text: string): string {
  const [, size = '0', rest = ''] = /^([0-9a-f]+)\r\n([\s\S]*)$/.exec(text) ?? []
  const length = Number.parseInt(size, 16)
  return length === 0 ? '' : rest.slice(0, length) + unchunk(rest.slice(length + 2))
}

describe('an event stream that is ended', () => {
  it('ends at once between two events and tells the client to reconnect', async () => {
    const { write, received } = await listen()
    write('data: 1\n\n')
    streams.end()
    expect(await received()).toBe('data: 1\n\nretry: 1000\n\n')
  })

  it('ends at once before its first event', async () => {
    const { received } = await listen()
    streams.end()
    expect(await received()).toBe('retry: 1000\n\n')
  })

  it.each([
    ['LF', 'data: 1\ndata: 2\n\ndata: 3\n\n', 'data: 1\ndata: 2\n\n'],
    ['CR LF', 'data: 1\r\ndata: 2\r\n\r\ndata: 3\r\n\r\n', 'data: 1\r\ndata: 2\r\n\r'],
    ['CR', 'data: 1\rdata: 2\r\rdata: 3\r\r', 'data: 1\rdata: 2\r\r'],
    ['a mixture', 'data: 1\r\n\ndata: 3\n\n', 'data: 1\r\n\n'],
    ['a comment', ': still here\n\ndata: 3\n\n', ': still here\n\n'],
  ])('completes the current event, wherever chunks are split, with lines ended by %s', async (_, events, first) => {
    for (let cut = 1; cut < first.length; cut += 1) {
      const { write, received } = await listen()
      write(events.slice(0, cut))
      streams.end()
      write(events.slice(cut))
      const text = await received()
      expect(text).toBe(`${first}retry: 1000\n\n`)
    }
  })

  it('ignores further events of the service', async () => {
    const { stream, write, received } = await listen()
    write('data: 1\n\n')
    streams.end()
    write('data: 2\n\n')
    stream.end()
    expect(await received()).toBe('data: 1\n\nretry: 1000\n\n')
  })

  it('ends at once when it opens after the others were ended', async () => {
    const openStreams = createOpenStreams()
    openStreams.end()
    const { received } = await listen(openStreams)
    expect(await received()).toBe('retry: 1000\n\n')
  })

  it('is removed when its client disconnects', async () => {
    const { client, response } = await listen()
    expect(streams.size()).toBe(1)
    const closed = once(response, 'close')
    client.socket.destroy()
    await closed
    expect(streams.size()).toBe(0)
  })
})

describe('isEventStream', () => {
  it.each([
    [{ 'content-type': 'text/event-stream' }, true],
    [{ 'content-type': 'Text/Event-Stream; charset=utf-8' }, true],
    [{ 'content-type': 'text/event-streams' }, false],
    [{ 'content-type': 'text/event-stream', 'content-encoding': 'gzip' }, false],
    [{ 'content-type': 'text/event-stream', 'content-length': '9' }, false],
    [{}, false],
  ])('with %j returns %s', (headers, expected) => expect(isEventStream(headers)).toBe(expected))
})

describe('an event stream that depends on ids', () => {
  it('ends when one of them changes, and no other stream does', async () => {
    const openStreams = createOpenStreams()
    const [first, second] = [await listen(openStreams, ['key_1', 'ws_1']), await listen(openStreams, ['key_2', 'ws_1'])]
    openStreams.endDependents(['key_3'])
    first.write('data: 1\n\n')
    openStreams.endDependents(['key_1'])
    expect(await first.received()).toBe('data: 1\n\nretry: 1000\n\n')
    second.write('data: 2\n\n')
    openStreams.endDependents(['ws_1'])
    expect(await second.received()).toBe('data: 2\n\nretry: 1000\n\n')
  })

  it('ends before its first event when one of them changed before it was open', async () => {
    const openStreams = createOpenStreams()
    const { received } = await listen(openStreams, ['key_1'], () => openStreams.endDependents(['key_1']))
    expect(await received()).toBe('retry: 1000\n\n')
  })
})
