import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { problem } from '@wp/contracts'
import { createLogger, sendProblem } from '../src/index.ts'

const lines: Record<string, unknown>[] = []
const log = createLogger('data', 'info', { write: (line) => lines.push(JSON.parse(line)) })
const server = createServer((_request, response) =>
  sendProblem(response, thrown, { base: 'http://localhost', requestId: 'req-12345678', log }),
)
let thrown: Error
let url: string

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a server that listens on TCP has such an address
  url = `http://127.0.0.1:${port}`
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

const levels = { warn: 40, error: 50 }

describe('a request that fails with a status of 500 or more', () => {
  const provider = problem('embeddings_unavailable', { cause: new Error('the provider answered 500') })
  const service = problem('embeddings_unavailable', { cause: problem('service_unavailable') })
  it.each([
    ['warn', 'a provider of the user failed', provider],
    ['error', 'a service that it needs is unavailable', service],
    ['error', 'the database is unavailable', problem('service_unavailable')],
    ['error', 'of an unexpected error', problem('internal_error', { cause: new TypeError('x') })],
  ] as const)('is logged as %s when %s', async (level, _reason, error) => {
    thrown = error
    lines.length = 0
    expect((await fetch(url)).status).toBe(error.status)
    expect(lines).toMatchObject([{ level: levels[level], event: 'request.failed', code: error.code }])
  })

  it('answers that it can be retried when the database cancelled a slow statement', async () => {
    const message = 'canceling statement due to statement timeout'
    thrown = new Error('query failed', { cause: Object.assign(new Error(message), { code: '57014' }) })
    lines.length = 0
    const response = await fetch(url)
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toBe('5')
    expect(await response.text()).not.toContain('canceling')
    expect(lines).toMatchObject([
      { level: levels.error, code: 'service_unavailable', err: { message: `query failed: ${message}` } },
    ])
  })
})
