import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, it } from '@jest/globals'
import { noLog } from '@wp/runtime'
import { openPool } from '../src/connection/pool.ts'

const open = (url: string) => openPool({ url, size: 1, name: 'test', readOnly: false, log: noLog })

it.each([
  ['postgresql://user:password@localhost/database', 5_000],
  ['postgresql://user:password@localhost/database?connect_timeout=20', 20_000],
  ['postgresql://user:password@localhost/database?connect_timeout=soon', 5_000],
  ['postgresql://user:password@localhost/database?connect_timeout=-1', 5_000],
])('%s waits %d ms for a connection', async (url, ms) => {
  const pool = open(url)
  expect(pool.options.connectionTimeoutMillis).toBe(ms)
  await pool.end()
})

it('a server that does not answer is given up after connect_timeout', async () => {
  const server = createServer((socket) => socket.on('error', () => {}).resume()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const pool = open(`postgresql://user@127.0.0.1:${port}/database?connect_timeout=0.05`)
  await expect(pool.connect()).rejects.toThrow('timeout')
  await pool.end()
  server.close()
})
