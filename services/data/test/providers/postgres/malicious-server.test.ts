import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { afterAll, describe, expect, it } from '@jest/globals'
import type { PostgresConfig } from '@wp/contracts'
import { postgresReader } from '../../../src/providers/postgres/postgres-reader.ts'
import { crawlFailureOf, crawlRequest, localOutbound } from '../../support/run-crawl.ts'

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
async function failsWith(reply: (socket: Socket) => unknown, greeting: Buffer = welcome): Promise<unknown> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => {
      socket.on('data', () => reply(socket))
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

  it('fails the crawl when it sends an endless row', async () => {
    let statements = 0
    // Statements: BEGIN with its settings, DECLARE, FETCH 0, then FETCH of rows.
    const failure = await failsWith((socket) => {
      statements++
      if (statements === 1) return socket.write(Buffer.concat(done))
      if (statements < 4) return socket.write(emptyResponse)
      socket.write(Buffer.from([0x44, 0x7f, 0xff, 0xff, 0xff, 0, 1, 0x7f, 0xff, 0xff, 0xf0]))
      flood(socket, Buffer.alloc(1_048_576, 'a'))
    })
    expect(failure).toMatchObject({ message: expect.stringContaining('more than 64 MiB at a time') })
  })
})
