import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { raiseRateLimits, startTestFleet, type TestFleet } from '@wp/testkit'
import fc from 'fast-check'
import { decodeJwt } from 'jose'
import { sanitizeHeaders } from '../../src/forward/sanitize-headers.ts'
import { openRaw, type RawConnection } from '../raw-connection.ts'
import { expectedHeaders, fieldValue, headerSet } from './generated-headers.ts'

describe('10,000 generated header sets', () => {
  it('lose exactly the reserved headers, in any spelling', () => {
    fc.assert(
      fc.property(headerSet, fieldValue, fc.boolean(), fc.boolean(), (set, value, basic, cookies) => {
        // in lower case, as the parser returns them
        const sent = [...set.forged, ...set.honest].map((name) => [name.toLowerCase(), value])
        const headers = { ...Object.fromEntries(sent), accept: '*/*', connection: set.connectionTokens.join(' ,') }
        sanitizeHeaders(headers, { basic, cookies: () => cookies })
        expect(Object.keys(headers).toSorted()).toEqual(['accept', ...expectedHeaders(set)].toSorted())
      }),
      { numRuns: 10_000 },
    )
  })
})

describe('500 generated header sets through the edge', () => {
  /** Headers that reached the service. */
  let seen: [string, string][]
  let echoServer: Server
  let fleet: TestFleet
  let connection: RawConnection
  beforeAll(async () => {
    echoServer = createServer((request, response) => {
      // The edge reports requests to the audit service by itself.
      if (request.url?.startsWith('/internal/')) return void response.end('{}')
      seen = Object.entries(request.headers).map(([name, value]) => [name, String(value)])
      response.end('seen')
    }).listen(0, '127.0.0.1')
    await once(echoServer, 'listening')
    const address = echoServer.address()
    const port = typeof address === 'object' ? address?.port : undefined
    fleet = await startTestFleet({
      services: ['auth', 'system'],
      env: { gateway: { UPSTREAM: `http://127.0.0.1:${port}` } },
    })
    await raiseRateLimits(fleet.databases.get('auth')?.adminUrl)
    connection = openRaw(fleet.baseUrl)
  })
  afterAll(async () => {
    connection.socket.destroy()
    await fleet.stop()
    echoServer.closeAllConnections()
    echoServer.close()
  })

  /** Sends a request on the shared connection. @returns its status */
  async function send(path: string, lines: readonly string[]): Promise<string> {
    const from = connection.received().length
    const answered = new Promise<void>((resolve) => {
      const check = () => {
        if (!/(?:seen|\})$/.test(connection.received().slice(from))) return
        connection.socket.off('data', check)
        resolve()
      }
      connection.socket.on('data', check)
    })
    await connection.write(`${[`GET ${path} HTTP/1.1`, 'Host: x', ...lines].join('\r\n')}\r\n\r\n`)
    await answered
    return connection.received().slice(from + 9, from + 12)
  }

  it.each([
    ['without a credential', '/v1/data/health', 250],
    ['with a credential', '/v1/data/sources', 250],
  ])('lose exactly the reserved headers in requests %s', async (kind, path, numRuns) => {
    const token = await fleet.token(fleet.owner)
    const isAuthenticated = kind === 'with a credential'
    await fc.assert(
      fc.asyncProperty(headerSet, fieldValue, async (set, value) => {
        seen = []
        const lines = [...set.forged, ...set.honest].map((name) => `${name}: ${value}`)
        const credential = isAuthenticated ? [`Authorization: Bearer ${token}`] : []
        const connection = set.connectionTokens.length === 0 ? [] : [`Connection: ${set.connectionTokens.join(',')}`]
        expect(await send(path, [...credential, ...lines, ...connection])).toBe('200')
        const evil = seen.filter(([, text]) => text.includes('evil')).map(([name]) => name)
        expect(evil.toSorted()).toEqual(expectedHeaders(set).toSorted())
        const { 'x-principal-id': principal, 'x-workspace-id': workspace, ...rest } = Object.fromEntries(seen)
        expect([principal, workspace]).toEqual(
          isAuthenticated ? [fleet.owner.clientId, fleet.owner.workspaceId] : ['anonymous', undefined],
        )
        expect(decodeJwt(String(rest['x-workspace-scope'])).sub).toBe(principal)
      }),
      { numRuns },
    )
  })

  it('cannot be forged with characters that HTTP forbids in names', async () => {
    for (const name of [
      'x-w\xf6rkspace-id',
      'x-workspace-id\xa0',
      'x workspace-id',
      'x-workspace-id ',
      '\xefx-scope',
      'x-scope\x00',
    ]) {
      seen = []
      const other = openRaw(fleet.baseUrl)
      await other.write(`GET /v1/data/health HTTP/1.1\r\nHost: x\r\n${name}: evil\r\n\r\n`)
      expect(await other.waitForClose()).toMatch(/^HTTP\/1\.1 400 [\s\S]*"malformed_request"/)
      expect(seen).toEqual([])
    }
  })
})
