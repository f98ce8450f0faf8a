import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startTestFleet, type TestFleet } from '@wp/testkit'
import fc from 'fast-check'
import { decodeJwt } from 'jose'
import { sanitizeHeaders } from '../../src/forward/sanitize-headers.ts'
import { openRaw, type RawConnection } from '../raw-connection.ts'
import { arriving, fieldValue, headerSet } from './generated-headers.ts'

describe('10,000 sets of headers', () => {
  it('lose whatever names somebody, in any spelling, and nothing else', () => {
    fc.assert(
      fc.property(headerSet, fieldValue, fc.boolean(), fc.boolean(), (set, value, basic, cookies) => {
        // as the parser gives them
        const sent = [...set.forged, ...set.honest].map((name) => [name.toLowerCase(), value])
        const headers = { ...Object.fromEntries(sent), accept: '*/*', connection: set.nominated.join(' ,') }
        sanitizeHeaders(headers, { basic, cookies })
        expect(Object.keys(headers).toSorted()).toEqual(['accept', ...arriving(set)].toSorted())
      }),
      { numRuns: 10_000 },
    )
  })
})

describe('500 sets of headers through the edge', () => {
  /** What reached the service. */
  let seen: [string, string][]
  let echo: Server
  let fleet: TestFleet
  let connection: RawConnection
  beforeAll(async () => {
    echo = createServer((request, response) => {
      seen = Object.entries(request.headers).map(([name, value]) => [name, String(value)])
      response.end('seen')
    }).listen(0, '127.0.0.1')
    await once(echo, 'listening')
    const address = echo.address()
    const port = typeof address === 'object' ? address?.port : undefined
    fleet = await startTestFleet({
      services: ['auth', 'system'],
      env: { gateway: { UPSTREAM: `http://127.0.0.1:${port}` } },
    })
    connection = openRaw(fleet.baseUrl)
  })
  afterAll(async () => {
    connection.socket.destroy()
    await fleet.stop()
    echo.closeAllConnections()
    echo.close()
  })

  /** One request on the connection of all. @returns its status */
  async function send(path: string, lines: readonly string[]): Promise<string> {
    const from = connection.said().length
    const answered = new Promise<void>((resolve) => {
      const look = () => {
        if (!/(?:seen|\})$/.test(connection.said().slice(from))) return
        connection.socket.off('data', look)
        resolve()
      }
      connection.socket.on('data', look)
    })
    await connection.write(`${[`GET ${path} HTTP/1.1`, 'Host: x', ...lines].join('\r\n')}\r\n\r\n`)
    await answered
    return connection.said().slice(from + 9, from + 12)
  }

  it.each([
    ['of nobody', '/v1/data/health', 250],
    ['of somebody', '/v1/data/sources', 250],
  ])('lose it, too: %s', async (whose, path, numRuns) => {
    const token = await fleet.token(fleet.owner)
    const isKnown = whose === 'of somebody'
    await fc.assert(
      fc.asyncProperty(headerSet, fieldValue, async (set, value) => {
        seen = []
        const lines = [...set.forged, ...set.honest].map((name) => `${name}: ${value}`)
        const credential = isKnown ? [`Authorization: Bearer ${token}`] : []
        const connection = set.nominated.length === 0 ? [] : [`Connection: ${set.nominated.join(',')}`]
        expect(await send(path, [...credential, ...lines, ...connection])).toBe('200')
        const evil = seen.filter(([, text]) => text.includes('evil')).map(([name]) => name)
        expect(evil.toSorted()).toEqual(arriving(set).toSorted())
        const { 'x-principal-id': principal, 'x-workspace-id': workspace, ...rest } = Object.fromEntries(seen)
        expect([principal, workspace]).toEqual(
          isKnown ? [fleet.owner.clientId, fleet.owner.workspaceId] : ['anonymous', undefined],
        )
        expect(decodeJwt(String(rest['x-workspace-scope'])).sub).toBe(principal)
      }),
      { numRuns },
    )
  })

  it('cannot be named in letters that HTTP has not', async () => {
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
      expect(await other.untilClosed()).toMatch(/^HTTP\/1\.1 400 [\s\S]*"malformed_request"/)
      expect(seen).toEqual([])
    }
  })
})
