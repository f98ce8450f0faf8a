import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import { afterAll, describe, expect, it } from '@jest/globals'
import { startTestFleet } from '@wp/testkit'
import { decodeJwt, exportSPKI, generateKeyPair, importJWK, SignJWT, UnsecuredJWT } from 'jose'

/** A server in place of data that returns the headers it received. */
const echo = createServer((request, response) => {
  request.resume()
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ headers: request.headers, url: request.url }))
})
await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve))
const address = echo.address()
const port = typeof address === 'object' ? address?.port : undefined
const fleet = await startTestFleet({
  services: ['auth', 'system'],
  env: { gateway: { UPSTREAM: `http://127.0.0.1:${port}` } },
})
const token = await fleet.token(fleet.owner)
afterAll(async () => {
  await fleet.stop()
  echo.closeAllConnections()
  echo.close()
})

interface RawResponse {
  status: number
  body: { headers: IncomingHttpHeaders; code?: string }
}

/** Sends a request with exactly these header lines. */
function raw(lines: readonly string[], path = '/v1/data/sources', method = 'GET'): Promise<RawResponse> {
  const { hostname, port } = new URL(fleet.baseUrl)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () =>
      socket.write(`${[`${method} ${path} HTTP/1.1`, 'Host: x', ...lines].join('\r\n')}\r\n\r\n`),
    )
    let text = ''
    socket.setTimeout(60_000, () => socket.destroy(new Error('no response')))
    socket.on('error', reject)
    socket.on('data', (chunk) => {
      text += String(chunk)
      const [head = '', body = ''] = text.split('\r\n\r\n', 2)
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN)
      const chunked = /transfer-encoding: chunked/i.test(head) && body.endsWith('0\r\n') // the last chunk
      if (Buffer.byteLength(body) < length && !chunked) return
      if (Number.isNaN(length) && !text.endsWith('0\r\n\r\n')) return
      socket.destroy()
      resolve({
        status: Number(head.slice(9, 12)),
        body: JSON.parse(body.slice(body.indexOf('{'), body.lastIndexOf('}') + 1)),
      })
    })
  })
}

describe('a forwarded request', () => {
  it('has the identity headers of the edge, never those of the client', async () => {
    const { status, body } = await raw([
      `Authorization: Bearer ${token}`,
      'x-workspace-id: ws_evil',
      'X_Workspace_Id: ws_evil',
      'x-workspace-scope: evil',
      'x_workspace_scope: evil',
      'x-principal-id: usr_evil',
      'X-Principal-Type: user',
      'x-scope: everything',
      'x-scopes: everything',
      'x-internal-call: yes',
      'Forwarded: for=1.2.3.4',
      'X-Forwarded-For: 1.2.3.4',
      'X-Forwarded-Host: evil.example',
      'Cookie: session=1',
      'Proxy-Authorization: Basic eDp5',
      'X-Custom: kept',
      'X-Dropped: yes',
      'Connection: keep-alive, x-dropped, x-request-id',
      'TE: trailers',
    ])
    expect(status).toBe(200)
    const { headers } = body
    expect(JSON.stringify(headers)).not.toContain('evil')
    expect(headers).toMatchObject({
      'x-workspace-id': fleet.owner.workspaceId,
      'x-principal-id': fleet.owner.clientId,
      'x-principal-type': 'service_principal',
      'x-forwarded-for': '127.0.0.1',
      'x-custom': 'kept',
    })
    for (const name of [
      'authorization',
      'cookie',
      'x-scope',
      'x-scopes',
      'x-internal-call',
      'forwarded',
      'x-dropped',
      'te',
      'proxy-authorization',
      'x-forwarded-host',
    ])
      expect(headers[name]).toBeUndefined()
    expect(headers['x-request-id']).toMatch(/^req-/)
    expect(headers.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/)
    const claims = decodeJwt(String(headers['x-workspace-scope']))
    expect(claims).toMatchObject({
      iss: 'gateway',
      aud: 'data',
      sub: fleet.owner.clientId,
      workspace_id: fleet.owner.workspaceId,
    })
    expect(Number(claims.exp) - Number(claims.iat)).toBe(60)
  })

  it('has no API key, also with a body without length', async () => {
    const response = await fleet.request('POST', '/v1/data/sources', {
      as: fleet.owner.apiKey,
      rawBody: ReadableStream.from([new Uint8Array([123]), new Uint8Array([125])]),
    })
    expect(response.body.headers['x-api-key']).toBeUndefined()
    expect(response.body.headers['x-principal-type']).toBe('api_key')
  })

  it('has an assertion with the scopes of a downscoped token', async () => {
    const narrow = await fleet.token(fleet.owner, 'data:read webhooks:read')
    const { body } = await raw([`Authorization: Bearer ${narrow}`])
    expect(decodeJwt(String(body.headers['x-workspace-scope'])).scopes).toEqual(['data:read', 'webhooks:read'])
  })
})

describe('repeated credentials', () => {
  it.each([
    ['two bearer tokens', () => [`Authorization: Bearer ${token}`, `Authorization: Bearer ${token}`]],
    ['two keys', () => [`x-api-key: ${fleet.owner.apiKey}`, `x-api-key: ${fleet.owner.apiKey}`]],
    ['a token and a key', () => [`Authorization: Bearer ${token}`, `x-api-key: ${fleet.owner.apiKey}`]],
    ['two workspaces', () => [`Authorization: Bearer ${token}`, 'x-workspace-key: a', 'x-workspace-key: b']],
  ])('are rejected: %s', async (_, lines) => {
    expect(await raw(lines())).toMatchObject({ status: 400, body: { code: 'ambiguous_credentials' } })
  })
})

describe('a forged token', () => {
  const claims = () => decodeJwt(token)
  const fresh = async () => (await generateKeyPair('ES256')).privateKey
  const header = { alg: 'ES256', typ: 'at+jwt', kid: 'unknown' }
  const sign = async (more: Record<string, unknown>, over: Record<string, unknown> = {}) =>
    new SignJWT({ ...claims(), ...more }).setProtectedHeader({ ...header, ...over }).sign(await fresh())
  const publishedKey = async () => (await fleet.request('GET', '/.well-known/jwks.json')).body.keys[0]
  const expectRejected = async (forged: string) =>
    expect(await raw([`Authorization: Bearer ${forged}`])).toMatchObject({
      status: 401,
      body: { code: 'invalid_credential' },
    })

  it('is not one that auth signed', async () => {
    expect((await raw([`Authorization: Bearer ${token}`])).status).toBe(200)
  })

  it('is rejected with an unknown key id, and with a known key id and another key', async () => {
    await expectRejected(await sign({}))
    await expectRejected(await sign({}, { kid: (await publishedKey()).kid }))
  })

  it('is rejected unsigned', async () => expectRejected(new UnsecuredJWT(claims()).encode()))

  it('is rejected when signed with HS256 and the public key as secret', async () => {
    const jwk = await publishedKey()
    const pem = await exportSPKI(
      (await importJWK(jwk, 'ES256', { extractable: true })) as Parameters<typeof exportSPKI>[0],
    )
    const forged = await new SignJWT(claims())
      .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid: jwk.kid })
      .sign(new TextEncoder().encode(pem))
    await expectRejected(forged)
  })

  it('is rejected with a changed payload', async () => {
    const [head, payload = '', signature] = token.split('.')
    const other = Buffer.from(JSON.stringify({ ...claims(), sub: 'sp_other' })).toString('base64url')
    expect(payload).not.toBe(other)
    await expectRejected([head, other, signature].join('.'))
  })
})

describe('a token that auth signed for another purpose', () => {
  it.each([
    ['another issuer', { base: 'https://other.example' }, 'invalid_credential'],
    ['another audience', { audience: ['https://other.example'] }, 'invalid_credential'],
    ['a past expiry', { lifetimeSeconds: -1 }, 'expired_credential'],
  ])(
    'is rejected: %s',
    async (_, { base, ...options }: { base?: string; audience?: string[]; lifetimeSeconds?: number }, code) => {
      const { join } = await import('node:path')
      const auth = await import(join(import.meta.dirname, '../../../services/auth/src/index.ts'))
      const context = await auth.openContext({
        ...fleet.env('auth'),
        ...(base === undefined ? {} : { PUBLIC_BASE_URL: base }),
      })
      const forged = await auth.issueAccessToken(
        context,
        { type: 'user', id: fleet.owner.ownerId, sessionId: 'ses_1', authenticatedAt: new Date() },
        options,
      )
      await context.close()
      expect(await raw([`Authorization: Bearer ${forged}`])).toMatchObject({ status: 401, body: { code } })
    },
  )

  it('is rejected when it is an assertion instead of an access token', async () => {
    const { body } = await raw([`Authorization: Bearer ${token}`])
    const response = await raw([`Authorization: Bearer ${String(body.headers['x-workspace-scope'])}`])
    expect(response).toMatchObject({ status: 401, body: { code: 'invalid_credential' } })
  })
})

describe('an API key', () => {
  const withSegment = (index: number, value: string) => fleet.owner.apiKey.split('.').with(index, value).join('.')
  const code = async (key: string) => (await raw([`x-api-key: ${key}`])).body.code

  it('is rejected when a segment differs from the stored key', async () => {
    expect(await code(fleet.owner.apiKey)).toBeUndefined()
    expect(await code(withSegment(0, 'key_other'))).toBe('invalid_credential')
    expect(await code(withSegment(1, 'XXX'))).toBe('invalid_credential')
    expect(await code(withSegment(2, fleet.stranger.workspaceId))).toBe('invalid_credential')
    expect(await code(withSegment(3, crypto.randomUUID()))).toBe('invalid_credential')
  })

  it('is rejected when it has another format', async () => {
    for (const key of ['x', 'key_a.B.c.d', `${fleet.owner.apiKey}x`, createHmac('sha256', 'a').digest('hex')])
      expect(await code(key)).toBe('invalid_credential')
  })
})
