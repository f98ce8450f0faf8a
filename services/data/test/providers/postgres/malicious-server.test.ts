import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { afterAll, describe, expect, it } from '@jest/globals'
import type { PostgresConfig } from '@wp/contracts'
import { postgresReader } from '../../../src/providers/postgres/postgres-reader.ts'
import type { CrawlRequest, StartTimer } from '../../../src/providers/source-reader.ts'
import { crawlFailureOf, crawlRequest, localOutbound } from '../../support/sources/run-crawl.ts'

const outbound = localOutbound()
const servers: Server[] = []
const errors: unknown[] = []
const note = (error: unknown) => void errors.push(error)
afterAll(() => {
  outbound.close()
  for (const server of servers) server.close()
})

/** Encodes a message of the PostgreSQL protocol (54.1): type, length, body. */
function message(kind: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.write(kind, 'latin1')
  head.writeInt32BE(4 + body.length, 1)
  return Buffer.concat([head, body])
}
const welcome = Buffer.concat([message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))])

/** Crawls a server that sends `greeting` first and `reply` to every later message. Returns the failure. */
async function failsWith(
  reply: (socket: Socket, received: Buffer) => unknown,
  greeting: Buffer = welcome,
  more: Partial<CrawlRequest<PostgresConfig>> = {},
): Promise<unknown> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => {
      socket.on('data', (received) => reply(socket, received))
      socket.write(greeting)
    })
  }).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  const integration = { host: '127.0.0.1', port: address.port, database: 'd', user: 'u', ssl: 'disable' }
  return crawlFailureOf(
    postgresReader,
    crawlRequest<PostgresConfig>({
      config: { query: 'SELECT 1', overlap_seconds: 0, statement_timeout_seconds: 30 },
      integration: { provider: 'postgres', config: integration, secrets: { password: 'p' } },
      outbound,
      ...more,
    }),
  )
}

/** Sends the same bytes until the connection is closed. */
function flood(socket: Socket, bytes: Buffer): void {
  const send = () => {
    while (!socket.destroyed && socket.write(bytes));
  }
  socket.removeAllListeners('data').on('drain', send)
  send()
}

describe('a malicious PostgreSQL server', () => {
  it.each<[string, Buffer, Buffer]>([
    ['a truncated row', welcome, message('D', Buffer.from([0, 5, 0]))],
    ['an unknown authentication method', message('R', Buffer.from([0, 0, 0, 99])), Buffer.alloc(0)],
    ['an unterminated error', welcome, message('E', Buffer.from('M'))],
    ['an error without a field terminator', welcome, message('E', Buffer.from('MX\0'))],
    ['columns without names', welcome, message('T', Buffer.from([0, 9]))],
    ['a command without a name', welcome, message('C', Buffer.alloc(0))],
    ['a parameter status without a value', message('S', Buffer.from('x\0')), Buffer.alloc(0)],
    ['an unterminated list of SASL mechanisms', message('R', Buffer.from('\0\0\0\x0aSCRAM\0')), Buffer.alloc(0)],
    ['a message shorter than its length', welcome, Buffer.from([0x5a, 0, 0, 0, 1])],
  ])('fails only the crawl when it sends %s', async (_what, greeting: Buffer, reply: Buffer) => {
    // Errors thrown in event listeners arrive here and would end the process.
    process.on('uncaughtException', note)
    try {
      expect(await failsWith((socket) => socket.write(reply), greeting)).toMatchObject({
        code: 'transient',
        message: expect.stringContaining('does not answer like PostgreSQL'),
      })
      expect(errors).toEqual([])
    } finally {
      process.off('uncaughtException', note)
    }
  })

  const parsed = [message('1', Buffer.alloc(0)), message('2', Buffer.alloc(0)), message('T', Buffer.alloc(2))]
  const done = [message('C', Buffer.from('SELECT 0\0')), message('Z', Buffer.from('T'))]
  const emptyResponse = Buffer.concat([...parsed, ...done])

  it('fails the crawl when it sends rows where none are expected', async () => {
    const rows = Array.from({ length: 10_000 }, () => message('D', Buffer.alloc(2)))
    const failure = await failsWith((socket) => flood(socket, Buffer.concat([...parsed, ...rows])))
    expect(failure).toMatchObject({ message: expect.stringContaining('more than 1 MiB at a time') })
  })

  /** Answers the statements before the first FETCH: BEGIN with its settings, DECLARE, FETCH 0. Then calls `onFetch`. */
  function answerUntilFetch(onFetch: (socket: Socket) => unknown, columns = parsed) {
    let statements = 0
    return (socket: Socket) => {
      statements++
      if (statements === 1) socket.write(Buffer.concat(done))
      else if (statements === 2) socket.write(emptyResponse)
      else if (statements === 3) socket.write(Buffer.concat([...columns, ...done]))
      else onFetch(socket)
    }
  }
  /** A description of columns without names and of type text. */
  const columnsOf = (count: number) => {
    const column = Buffer.alloc(19)
    column.writeInt32BE(25, 7)
    const head = Buffer.alloc(2)
    head.writeUInt16BE(count)
    return message('T', Buffer.concat([head, ...Array.from({ length: count }, () => column)]))
  }
  const repeat = (bytes: Buffer) => Buffer.concat(Array.from({ length: 10_000 }, () => bytes))
  const threeNulls = Buffer.concat([Buffer.from([0, 3]), Buffer.alloc(12, 0xff)])
  const floodAfter = (head: Buffer) => (socket: Socket) => {
    socket.write(head)
    flood(socket, Buffer.alloc(1_048_576, 'a'))
  }

  it.each<[string, string, { onFetch?: (socket: Socket) => unknown; columns?: Buffer[] }]>([
    ['an endless row', 'more than 16 MiB at a time', { onFetch: floodAfter(Buffer.from('D\x7fAAA\0\x01\x7fAAA')) }],
    ['a message of 1 GiB', 'more than 16 MiB at a time', { onFetch: floodAfter(Buffer.from('E@\0\0\0')) }],
    [
      'millions of rows at once',
      'more than the 100 requested rows',
      { onFetch: (socket) => flood(socket, repeat(message('D', Buffer.alloc(2)))) },
    ],
    [
      'notices without end',
      'more than 16 MiB at a time',
      { onFetch: (socket) => flood(socket, repeat(message('N', Buffer.from('Mhello\0\0')))) },
    ],
    [
      'results without end',
      'needs more than 64 MiB of memory',
      { onFetch: (socket) => flood(socket, repeat(message('C', Buffer.from('X\0')))) },
    ],
    [
      'more values than columns',
      '3 values for 0 columns',
      { onFetch: (socket) => socket.write(Buffer.concat([message('D', threeNulls), ...done])) },
    ],
    ['more columns than a result can have', '2000 columns', { columns: [...parsed.slice(0, 2), columnsOf(2_000)] }],
    [
      'columns without end',
      'more than 1 MiB at a time',
      { columns: Array.from({ length: 10 }, () => columnsOf(10_000)) },
    ],
  ])('fails the crawl when it sends %s', async (_what, text, { onFetch = () => {}, columns }) => {
    process.on('uncaughtException', note)
    try {
      expect(await failsWith(answerUntilFetch(onFetch, columns))).toMatchObject({
        message: expect.stringContaining(text),
      })
      expect(errors).toEqual([])
    } finally {
      process.off('uncaughtException', note)
    }
  })

  it('fails the crawl when it requires billions of iterations to log in', async () => {
    const mechanisms = message('R', Buffer.concat([Buffer.from([0, 0, 0, 10]), Buffer.from('SCRAM-SHA-256\0\0')]))
    const failure = await failsWith((socket, received) => {
      const [, nonce] = /r=([^,]+)/.exec(received.toString('latin1')) ?? []
      const first = Buffer.from(`r=${nonce}more,s=AAAA,i=2000000000`)
      socket.write(message('R', Buffer.concat([Buffer.from([0, 0, 0, 11]), first])))
    }, mechanisms)
    expect(failure).toMatchObject({ message: expect.stringContaining('iteration count') })
  })

  it('fails the crawl when it drips rows beyond the timeout of the statement', async () => {
    const limits: number[] = []
    let elapse = () => {}
    const startTimer: StartTimer = (ms, onElapsed) => {
      limits.push(ms)
      elapse = onElapsed
      return () => {}
    }
    // Each row restarts nothing: the clock stands still, and the timer of the statement is called after the tenth row.
    let rows = 0
    const drip = (socket: Socket): void => {
      if (++rows === 10) elapse()
      if (!socket.destroyed) socket.write(message('D', Buffer.alloc(2)), () => setImmediate(drip, socket))
    }
    const failure = await failsWith(answerUntilFetch(drip), welcome, { startTimer, now: () => 0 })
    expect(failure).toMatchObject({ code: 'transient', message: expect.stringContaining('at its timeout') })
    // One timer each for BEGIN, DECLARE, FETCH 0 and the FETCH.
    expect(limits).toEqual([45_000, 45_000, 45_000, 45_000])
  })
})
