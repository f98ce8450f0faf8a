import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { followRun, type RunChunk } from '../../src/commands/agents/agents.ts'
import type { Connection } from '../../src/connection.ts'
import type { Context } from '../../src/context.ts'

const deltas = ['Three ', 'days ', 'at the ', 'reception.']
/** Positions after which the connection is cut: in order, one a request. */
let cuts: number[] = []
let server: Server
let baseUrl: string

beforeAll(async () => {
  server = createServer((request, response) => {
    const from = Number(request.headers['last-event-id'] ?? 0)
    const cut = cuts.shift()
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const [index, delta] of deltas.entries()) {
      if (index < from) continue
      if (index === cut) {
        response.write(`id: ${index + 1}\nda`, () => response.destroy())
        return
      }
      response.write(`: comment\nid: ${index + 1}\ndata: ${JSON.stringify({ type: 'text-delta', delta })}\n\n`)
    }
    response.end('data: [DONE]\n\n')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  baseUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
})
afterAll(() => {
  server.close()
  server.closeAllConnections()
})

describe('the stream of a run', () => {
  it('loses and repeats nothing when it is cut before, within and after events', async () => {
    cuts = [0, 1, 1, 3]
    const received: RunChunk[] = []
    const stderr = { write: () => true }
    const context = { process: { stdout: stderr, stderr } } as unknown as Context // the parts that are used
    const connection = { baseUrl, headers: async () => ({}) } as unknown as Connection // likewise
    await followRun(context, connection, 'run_1', new AbortController().signal, (chunk) => void received.push(chunk))
    expect(received.map(({ delta }) => delta)).toEqual(deltas)
    expect(cuts).toEqual([])
  })
})
