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

/** A message of PostgreSQL's protocol (54.1): its kind, its length, what it says. */
function message(kind: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.write(kind, 'latin1')
  head.writeInt32BE(4 + body.length, 1)
  return Buffer.concat([head, body])
}
const welcome = Buffer.concat([message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))])

/** Reads from a server that answers everything but the greeting with this. */
async function failsWith(answer: (socket: Socket) => unknown, greeting: Buffer = welcome): Promise<unknown> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => {
      socket.on('data', () => answer(socket))
      socket.write(greeting)
    })
  }).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('it listens at a port')
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

/** Sends the same again and again, as long as anybody takes it. */
function flood(socket: Socket, bytes: Buffer): void {
  const send = () => {
    while (!socket.destroyed && socket.write(bytes));
  }
  socket.removeAllListeners('data').on('drain', send)
  send()
}

describe('a server that only looks like PostgreSQL', () => {
  it.each<[string, Buffer, Buffer]>([
    ['a row that ends too early', welcome, message('D', Buffer.from([0, 5, 0]))],
    ['a login of no kind', message('R', Buffer.from([0, 0, 0, 99])), Buffer.alloc(0)],
    ['an error without an end', welcome, message('E', Buffer.from('M'))],
    ['an error whose last text is the end', welcome, message('E', Buffer.from('MX\0'))],
    ['columns without names', welcome, message('T', Buffer.from([0, 9]))],
    ['a command without a name', welcome, message('C', Buffer.alloc(0))],
    ['a setting without a value', message('S', Buffer.from('x\0')), Buffer.alloc(0)],
    ['ways to log in without an end', message('R', Buffer.from('\0\0\0\x0aSCRAM\0')), Buffer.alloc(0)],
    ['a message shorter than its length', welcome, Buffer.from([0x5a, 0, 0, 0, 1])],
  ])('sends %s, and only the crawl fails', async (_what, greeting: Buffer, answer: Buffer) => {
    // What is thrown out of a listener comes out here, and would end the process.
    process.on('uncaughtException', note)
    try {
      expect(await failsWith((socket) => socket.write(answer), greeting)).toMatchObject({
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
  const answered = Buffer.concat([...parsed, ...done])

  it('sends more rows than were asked for where none come, which are not gathered', async () => {
    const rows = Array.from({ length: 10_000 }, () => message('D', Buffer.alloc(2)))
    const failure = await failsWith((socket) => flood(socket, Buffer.concat([...parsed, ...rows])))
    expect(failure).toMatchObject({ message: expect.stringContaining('more than 1 MiB at a time') })
  })

  it('sends a row without end, of which no more is held than a stretch of rows may have', async () => {
    let asked = 0
    // BEGIN and its settings, DECLARE, FETCH 0, and then the rows.
    const failure = await failsWith((socket) => {
      asked++
      if (asked === 1) return socket.write(Buffer.concat(done))
      if (asked < 4) return socket.write(answered)
      socket.write(Buffer.from([0x44, 0x7f, 0xff, 0xff, 0xff, 0, 1, 0x7f, 0xff, 0xff, 0xf0]))
      flood(socket, Buffer.alloc(1_048_576, 'a'))
    })
    expect(failure).toMatchObject({ message: expect.stringContaining('more than 64 MiB at a time') })
  })
})
