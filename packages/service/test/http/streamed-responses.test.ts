import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, describe, expect, it } from '@jest/globals'
import { endpoint, type FileResponse, type Operations, problem, type ServerSentEvent } from '@wp/contracts'
import { createTestCaller, eventually } from '@wp/testkit'
import { z } from 'zod'
import { contentDisposition } from '../../src/http/response/build-response.ts'
import { type HttpServer, listen } from '../../src/http/server/server.ts'
import { assertionHeader, bindSurface, createLogger, createMetrics } from '../../src/index.ts'

const surface = {
  watch: endpoint({
    id: 'data.watch',
    method: 'GET',
    path: '/v1/data/watch',
    summary: 'Watch',
    response: 'events',
    eventData: z.object({ n: z.number() }),
  }),
  watchMessage: endpoint({
    id: 'data.watchMessage',
    method: 'GET',
    path: '/v1/data/message',
    summary: 'Watch a message',
    response: 'events',
    eventProtocol: 'ui-message-stream',
  }),
  download: endpoint({
    id: 'data.download',
    method: 'GET',
    path: '/v1/data/download',
    summary: 'Download',
    response: 'file',
    fileTypes: ['text/csv'],
  }),
  compute: endpoint({
    id: 'data.compute',
    method: 'GET',
    path: '/v1/data/compute',
    summary: 'Compute',
    cancellable: true,
    ok: z.object({ n: z.number() }),
  }),
}

type EventSource = (input: { lastEventId: string | undefined; signal: AbortSignal }) => AsyncIterable<ServerSentEvent>

interface Behavior {
  compute: (signal: AbortSignal) => Promise<{ n: number }>
  events: EventSource
  file: FileResponse
}

const operations: Operations<typeof surface, Behavior> = {
  compute: ({ compute }, _caller, { signal }) => compute(signal),
  watch: async ({ events }, _caller, { lastEventId, signal }) =>
    events({ lastEventId, signal }) as AsyncIterable<ServerSentEvent<{ n: number }>>, // one test breaks the contract on purpose
  watchMessage: async ({ events }, _caller, { lastEventId, signal }) => events({ lastEventId, signal }),
  download: async ({ file }) => file,
}

const servers: HttpServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

const csv = (content: string): FileResponse => ({
  contentType: 'text/csv',
  filename: 'report.csv',
  async *open() {
    yield Buffer.from(content)
  },
})

const noEvents: EventSource = () => ReadableStream.from<ServerSentEvent>([])

interface TestServer {
  server: HttpServer
  lines: Record<string, unknown>[]
  get(path: string, headers?: Record<string, string>, method?: string): Promise<Response>
}

async function start(behavior: Partial<Behavior>, keepAliveMs = 60_000): Promise<TestServer> {
  const lines: Record<string, unknown>[] = []
  const server = await listen({
    host: '127.0.0.1',
    port: 0,
    base: 'https://api.example.com',
    shards: ['test'],
    verifier: {
      verify: async () => ({ issuer: 'gateway', subject: createTestCaller('ws_01h455vb4pex5vsknk084sn02q') }),
    },
    log: createLogger('data', 'info', { write: (line: string) => void lines.push(JSON.parse(line)) }),
    metrics: createMetrics('data', { process: false }),
    keepAliveMs,
    isReady: async () => true,
    surfaces: [
      bindSurface(surface, operations, {
        compute: async () => ({ n: 1 }),
        events: noEvents,
        file: csv(''),
        ...behavior,
      }),
    ],
  })
  servers.push(server)
  return {
    server,
    lines,
    get: (path, headers = {}, method = 'GET') =>
      fetch(`http://127.0.0.1:${server.port}${path}`, { method, headers: { [assertionHeader]: 'x', ...headers } }),
  }
}

describe('an endpoint with response `events`', () => {
  it('sends each event with id, type and data, and ends the response with the last one', async () => {
    const { get } = await start({
      async *events() {
        yield { data: { n: 1 } }
        yield { id: '7', event: 'counted', data: { n: 2, undeclared: true } }
      },
    })
    const response = await get('/v1/data/watch')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await response.text()).toBe('data: {"n":1}\n\nid: 7\nevent: counted\ndata: {"n":2}\n\n')
  })

  it('has the header and the end of the UI message stream protocol where it is declared', async () => {
    const { get } = await start({
      async *events() {
        yield { id: '1', data: { type: 'start' } }
      },
    })
    const response = await get('/v1/data/message')
    expect(response.headers.get('x-vercel-ai-ui-message-stream')).toBe('v1')
    expect(await response.text()).toBe('id: 1\ndata: {"type":"start"}\n\ndata: [DONE]\n\n')
    expect((await get('/v1/data/watch')).headers.get('x-vercel-ai-ui-message-stream')).toBeNull()
  })

  it('does not have the end of the protocol when it is cut by a shutdown', async () => {
    const { get, server } = await start({
      async *events({ signal }) {
        await once(signal, 'abort')
        yield* []
      },
    })
    const response = await get('/v1/data/message')
    const drained = server.drain({ drainMs: 0, graceMs: 60_000 })
    expect(await response.text()).toBe('')
    await drained
  })

  it('passes Last-Event-ID to the operation', async () => {
    const { get } = await start({
      async *events({ lastEventId }) {
        yield { data: { n: Number(lastEventId) + 1 } }
      },
    })
    const response = await get('/v1/data/watch', { 'last-event-id': '41' })
    expect(await response.text()).toBe('data: {"n":42}\n\n')
  })

  it('sends comments while there is no event', async () => {
    const { get } = await start({ events: ({ signal }) => silentUntil(signal) }, 1)
    const response = await get('/v1/data/watch')
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader?.read())?.value).toMatch(/^: keep-alive\n\n/)
    await reader?.cancel()
  })

  it('sends the head of the response before the first event', async () => {
    const { get } = await start({ events: ({ signal }) => silentUntil(signal) })
    const response = await get('/v1/data/watch')
    expect(response.status).toBe(200)
    await response.body?.cancel()
  })

  it('aborts the signal and closes the source when the client disconnects', async () => {
    const closed = Promise.withResolvers<boolean>()
    const { get, lines } = await start({
      async *events({ signal }) {
        try {
          yield { data: { n: 1 } }
          await once(signal, 'abort')
        } finally {
          closed.resolve(signal.aborted)
        }
      },
    })
    const response = await get('/v1/data/watch')
    const reader = response.body?.getReader()
    await reader?.read()
    await reader?.cancel()
    expect(await closed.promise).toBe(true)
    expect(lines.filter(({ level }) => Number(level) >= 50)).toEqual([])
  })

  it('does not read ahead of a client that does not read', async () => {
    let produced = 0
    const total = 400
    const text = 'x'.repeat(262_144)
    const { get, server } = await start({
      async *events() {
        for (; produced < total; produced += 1) yield { id: text, data: { n: produced } }
      },
    })
    const socket = connect(server.port, '127.0.0.1').pause()
    socket.write(`GET /v1/data/watch HTTP/1.1\r\nHost: x\r\n${assertionHeader}: x\r\n\r\n`)
    await eventually(() => produced > 0)
    // the server has many turns to produce all of it
    for (let turn = 0; turn < 200; turn += 1) await get('/healthz')
    expect(produced).toBeLessThan(total)
    socket.resume()
    await eventually(() => produced === total)
    socket.destroy()
  })

  it('ends when the server shuts down', async () => {
    const { get, server } = await start({ events: ({ signal }) => silentUntil(signal) })
    const response = await get('/v1/data/watch')
    const drained = server.drain({ drainMs: 0, graceMs: 60_000 })
    expect(await response.text()).toBe('')
    await drained
  })

  it('cuts the response and logs the error when an event does not match the contract', async () => {
    const { get, lines } = await start({
      async *events() {
        yield { data: { n: 1 } }
        yield { data: { n: 'two' } }
      },
    })
    const response = await get('/v1/data/watch')
    await expect(response.text()).rejects.toThrow()
    await eventually(() => lines.some(({ event }) => event === 'request.failed'))
  })

  it.each(['a\nb', 'a\rb', 'a\0b'])('cuts the response when an event has the id %j', async (id) => {
    const { get } = await start({
      async *events() {
        yield { id, data: { n: 1 } }
      },
    })
    await expect(get('/v1/data/watch').then((response) => response.text())).rejects.toThrow()
  })

  it('sends a problem when the operation fails before the first event', async () => {
    const { get } = await start({
      events: () => {
        throw problem('conflict')
      },
    })
    const response = await get('/v1/data/watch')
    expect(response.status).toBe(409)
    expect(await response.json()).toMatchObject({ code: 'conflict' })
  })

  it('sends the head alone for HEAD', async () => {
    let isRead = false
    const { get } = await start({
      async *events() {
        isRead = true
        yield* []
      },
    })
    const response = await get('/v1/data/watch', {}, 'HEAD')
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(isRead).toBe(false)
  })
})

/** A stream without events, until the signal is aborted. */
async function* silentUntil(signal: AbortSignal): AsyncGenerator<ServerSentEvent> {
  if (!signal.aborted) await once(signal, 'abort')
  yield* []
}

describe('an endpoint with response `file`', () => {
  /** A file that counts how often it is opened. */
  const countedFile = () => {
    const count = { opened: 0 }
    const file: FileResponse = {
      ...csv(''),
      length: 4,
      etag: 'v1',
      async *open() {
        count.opened += 1
        yield Buffer.from('a,')
        yield Buffer.from('b\n')
      },
    }
    return { file, count }
  }

  it('streams the content with its type, length, name and entity tag', async () => {
    const { get } = await start({ file: countedFile().file })
    const response = await get('/v1/data/download')
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/csv',
      'content-length': '4',
      'content-disposition': 'attachment; filename="report.csv"',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-cache',
      etag: '"v1"',
    })
    expect(await response.text()).toBe('a,b\n')
  })

  it('responds 304 without opening the content when If-None-Match names the tag', async () => {
    const { file, count } = countedFile()
    const { get } = await start({ file })
    for (const tag of ['"v1"', 'W/"v1"']) {
      const response = await get('/v1/data/download', { 'if-none-match': tag })
      expect([response.status, response.headers.get('etag'), await response.text()]).toEqual([304, '"v1"', ''])
    }
    expect(count.opened).toBe(0)
    expect((await get('/v1/data/download', { 'if-none-match': '"v0"' })).status).toBe(200)
  })

  it('sends the head alone for HEAD, without opening the content', async () => {
    const { file, count } = countedFile()
    const { get } = await start({ file })
    const response = await get('/v1/data/download', {}, 'HEAD')
    expect([response.status, response.headers.get('content-length'), await response.text()]).toEqual([200, '4', ''])
    expect(count.opened).toBe(0)
  })

  it('closes the content when the client disconnects', async () => {
    const closed = Promise.withResolvers<void>()
    const { get } = await start({
      file: {
        ...csv(''),
        async *open() {
          try {
            while (true) yield Buffer.alloc(65_536)
          } finally {
            closed.resolve()
          }
        },
      },
    })
    const response = await get('/v1/data/download')
    await response.body?.cancel()
    await closed.promise
  })

  it.each([
    ['fails', undefined],
    ['is shorter than its length', 4],
    ['is longer than its length', 2],
  ])('cuts the response when the content %s', async (_, length) => {
    const { get } = await start({
      file: {
        ...csv(''),
        ...(length === undefined ? {} : { length }),
        async *open() {
          yield Buffer.from('abc')
          if (length === undefined) throw new Error('the disk is broken')
        },
      },
    })
    const response = await get('/v1/data/download')
    await expect(response.text()).rejects.toThrow()
  })

  it('responds 500 when the endpoint does not declare the type of the file', async () => {
    const { get } = await start({ file: { ...csv('<script>'), contentType: 'text/html' } })
    expect((await get('/v1/data/download')).status).toBe(500)
  })
})

describe('Content-Disposition', () => {
  it.each([
    ['report.csv', 'attachment; filename="report.csv"'],
    ['q1 "final".csv', `attachment; filename="q1 _final_.csv"; filename*=UTF-8''q1%20%22final%22.csv`],
    ['Übersicht (1).csv', `attachment; filename="_bersicht (1).csv"; filename*=UTF-8''%C3%9Cbersicht%20%281%29.csv`],
    ['a\r\nset-cookie: x', `attachment; filename="a__set-cookie: x"; filename*=UTF-8''a%0D%0Aset-cookie%3A%20x`],
    ['100%.csv', `attachment; filename="100_.csv"; filename*=UTF-8''100%25.csv`],
  ])('encodes the file name %j', (filename, expected) => {
    expect(contentDisposition('attachment', filename)).toBe(expected)
  })
})

describe('a cancellable operation', () => {
  it('is aborted when the client disconnects, which is not logged as a failure', async () => {
    let signal: AbortSignal | undefined
    const { server, lines } = await start({
      compute: (given) =>
        new Promise((_resolve, reject) => {
          signal = given
          given.addEventListener('abort', () => reject(given.reason))
        }),
    })
    const socket = connect(server.port, '127.0.0.1')
    socket.write(`GET /v1/data/compute HTTP/1.1\r\nhost: x\r\n${assertionHeader}: x\r\n\r\n`)
    await eventually(() => signal !== undefined)
    socket.destroy()
    await eventually(() => signal?.aborted === true)
    await eventually(() => lines.some(({ event }) => event === 'request.aborted_by_client'))
    expect(lines.some(({ event }) => event === 'request.failed')).toBe(false)
  })
})
