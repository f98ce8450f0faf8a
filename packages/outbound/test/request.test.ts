import { setImmediate } from 'node:timers/promises'
import type { TLSSocket } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from '@jest/globals'
import { redactIntegrationSecrets, redactSecrets } from '../src/index.ts'
import { closeServers, failureOf, httpsServer, localOutbound, tlsServer } from './servers.ts'

afterAll(closeServers)

describe('request', () => {
  it('sends server name, Host, method, path, headers and body', async () => {
    const server = await httpsServer((request, response) => {
      request.setEncoding('utf8').on('data', (body) => {
        // An HTTPS server's sockets are TLS sockets.
        const { servername } = request.socket as TLSSocket & { servername: string }
        const { method, url, headers } = request
        response
          .setHeader('x-seen', 'yes')
          .writeHead(201)
          .end(JSON.stringify({ servername, method, url, headers, body }))
      })
    })
    const response = await localOutbound().request({
      method: 'POST',
      url: `https://HOOKS.test.:${server.port}/hook?a=b%20c#fragment`,
      headers: { 'content-type': 'application/json', 'x-many': ['one', 'two'], 'x-none': undefined },
      body: '{"grüße":1}',
    })
    expect(response).toMatchObject({ status: 201, headers: { 'x-seen': 'yes' }, truncated: false, reused: false })
    expect(JSON.parse(response.body.toString())).toEqual({
      servername: 'hooks.test',
      method: 'POST',
      url: '/hook?a=b%20c',
      body: '{"grüße":1}',
      headers: {
        host: `hooks.test:${server.port}`,
        connection: 'keep-alive',
        'accept-encoding': 'identity',
        'content-type': 'application/json',
        'content-length': '13',
        'x-many': 'one, two',
      },
    })
  })

  it('sends the bytes of a binary body unchanged', async () => {
    const bytes = Buffer.from([0, 255, 10, 13, 128])
    const server = await httpsServer((request, response) => request.pipe(response))
    const response = await localOutbound().request({ method: 'PUT', url: server.url, body: new Uint8Array(bytes) })
    expect(response.body).toEqual(bytes)
  })

  it.each([204, 304, 400, 404, 410, 429, 500, 503])('returns status %i as a result', async (status) => {
    const server = await httpsServer((_request, response) => response.writeHead(status, { 'retry-after': '7' }).end())
    expect(await localOutbound().request({ url: server.url })).toMatchObject({
      status,
      headers: { 'retry-after': '7' },
    })
  })

  const continued = 'HTTP/1.1 100 Continue\r\n\r\n'
  const processing = 'HTTP/1.1 102 Processing\r\n\r\n'
  const hints = 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'
  const final =
    'HTTP/1.1 200 OK\r\nx-status: HTTP/1.1 100\r\ncontent-length: 33\r\n\r\nHTTP/1.1 100 Continue\r\n\r\nthe body'

  it.each([
    ['100', continued],
    ['102', processing],
    ['103', hints],
    ['several interim responses', continued + processing + hints + continued],
    ['100 with headers', 'HTTP/1.1 100 Continue\r\nx-proxy: yes\r\n\r\n'],
    ['100 without a reason', 'HTTP/1.1 100 \r\n\r\n'],
  ])('reads the final response when it follows %s', async (_, interim) => {
    const server = await tlsServer((socket) => socket.on('data', () => socket.write(interim + final)))
    const outbound = localOutbound()
    for (const reused of [false, true]) {
      const { status, body, headers, reused: wasReused } = await outbound.request({ url: server.url })
      expect([status, body.toString(), headers.link, wasReused]).toEqual([
        200,
        'HTTP/1.1 100 Continue\r\n\r\nthe body',
        undefined,
        reused,
      ])
    }
  })

  it('reads the final response when interim responses arrive byte by byte', async () => {
    const server = await tlsServer((socket) => {
      socket.setNoDelay(true)
      socket.once('data', async () => {
        for (const byte of continued + hints + final) {
          socket.write(byte)
          await setImmediate()
        }
      })
    })
    const response = await localOutbound().request({ url: server.url })
    expect([response.status, response.body.length]).toEqual([200, 33])
  })

  it('fails when interim responses never end, at the time limit', async () => {
    const server = await tlsServer((socket) => {
      const timer = setInterval(() => socket.write(continued), 5)
      socket.on('close', () => clearInterval(timer))
    })
    await expect(localOutbound().request({ url: server.url, timeoutMs: 300 })).rejects.toMatchObject({
      kind: 'timeout',
    })
  })

  it('fails when the server switches protocols although nothing asked for it', async () => {
    const server = await tlsServer((socket) =>
      socket.once('data', () =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
      ),
    )
    await expect(localOutbound().request({ url: server.url })).rejects.toMatchObject({ kind: 'protocol' })
  })

  it('measures every stage', async () => {
    const server = await httpsServer((_request, response) => setTimeout(() => response.end('late'), 50))
    const outbound = localOutbound()
    const { timings } = await outbound.request({ url: server.url })
    expect(timings.dns_ms).toBeGreaterThanOrEqual(0)
    expect(timings.connect_ms).toBeGreaterThan(0)
    expect(timings.tls_ms).toBeGreaterThan(0)
    expect(timings.first_byte_ms).toBeGreaterThanOrEqual(45)
    const { dns_ms, connect_ms, tls_ms, first_byte_ms, total_ms } = timings
    expect(total_ms).toBeGreaterThanOrEqual(
      (dns_ms ?? 0) + (connect_ms ?? 0) + (tls_ms ?? 0) + (first_byte_ms ?? 0) - 0.1,
    )
    expect((await outbound.request({ url: server.url })).timings).toMatchObject({
      dns_ms: null,
      connect_ms: null,
      tls_ms: null,
    })
  })
})

describe('the response body', () => {
  it('is read completely and returned in part, and the connection is reused', async () => {
    const server = await httpsServer((_request, response) => response.end('x'.repeat(60_000)))
    const outbound = localOutbound()
    const response = await outbound.request({ url: server.url })
    expect(response).toMatchObject({ status: 200, truncated: true })
    expect(response.body).toHaveLength(8_192)
    expect((await outbound.request({ url: server.url })).reused).toBe(true)
  })

  it('is truncated at the limit and the connection is closed', async () => {
    const server = await tlsServer((socket) =>
      socket.once('data', () => {
        socket.write('HTTP/1.1 202 Accepted\r\ntransfer-encoding: chunked\r\n\r\n')
        const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`
        // An endless body.
        const fill = () => {
          while (!socket.destroyed && socket.write(chunk)) {}
        }
        socket.on('drain', fill)
        fill()
      }),
    )
    const outbound = localOutbound()
    const response = await outbound.request({ url: server.url, keepResponseBytes: 100 })
    expect(response).toMatchObject({ status: 202, truncated: true, body: Buffer.from('x'.repeat(100)) })
    const [socket] = server.sockets
    await new Promise<void>((resolve) => (socket?.destroyed ? resolve() : socket?.once('close', () => resolve())))
    // The server sent no more than fits into the socket buffers.
    expect(socket?.bytesWritten).toBeLessThan(16 * 1024 * 1024)
    expect((await outbound.request({ url: server.url })).reused).toBe(false)
  })

  it('is returned completely when the limit allows it', async () => {
    const server = await httpsServer((_request, response) => response.end('x'.repeat(60_000)))
    const response = await localOutbound().request({ url: server.url, keepResponseBytes: 65_536 })
    expect(response.truncated).toBe(false)
    expect(response.body).toHaveLength(60_000)
  })

  it.each(['gzip', 'br', 'identity, gzip', 'x-unknown'])('is rejected when encoded with %s', async (encoding) => {
    const server = await httpsServer((_request, response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(gzipSync('x'.repeat(1000))),
    )
    const failure = await failureOf(localOutbound().request({ url: server.url }))
    expect(failure).toMatchObject({
      kind: 'encoding',
      attempt: { status: 200, headers: { 'content-encoding': encoding } },
    })
  })

  it('may have a content encoding when it is empty', async () => {
    const server = await httpsServer((request, response) =>
      response.writeHead(request.url === '/204' ? 204 : 200, { 'content-encoding': 'gzip', 'content-length': 0 }).end(),
    )
    for (const path of ['/204', '/200'])
      expect((await localOutbound().request({ url: server.url + path })).body).toHaveLength(0)
    expect((await localOutbound().request({ url: server.url, method: 'HEAD' })).status).toBe(200)
  })

  it('may have the content encoding identity', async () => {
    const server = await httpsServer((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'Identity' }).end('plain'),
    )
    expect((await localOutbound().request({ url: server.url })).body.toString()).toBe('plain')
  })
})

describe('a request', () => {
  it.each([
    'Host',
    'connection',
    'Content-Length',
    'transfer-encoding',
    'upgrade',
    'expect',
    'te',
    'trailer',
    'keep-alive',
    'proxy-connection',
    'accept-encoding',
  ])('is rejected when it sets the header %s', async (name) => {
    const failure = await failureOf(localOutbound().request({ url: 'https://hooks.test/', headers: { [name]: '1' } }))
    expect(failure).toMatchObject({
      kind: 'invalid_request',
      message: `the header ${name.toLowerCase()} cannot be set`,
    })
  })

  it.each([
    { 'x-split': 'a\r\nx-injected: 1' },
    { 'x-nul': 'a\0' },
    { 'x-wide': '\u{1f600}' },
    { 'x bad': '1' },
    { 'x-a:': '1' },
    { '': '1' },
  ])('is rejected when its headers are %j', async (headers) => {
    expect((await failureOf(localOutbound().request({ url: 'https://hooks.test/', headers }))).kind).toBe(
      'invalid_request',
    )
  })

  it('is rejected when its method is not valid', async () => {
    for (const method of ['GET /x', 'CONNECT', '']) {
      expect((await failureOf(localOutbound().request({ url: 'https://hooks.test/', method }))).kind).toBe(
        'invalid_request',
      )
    }
  })
})

describe('secrets in a response', () => {
  it.each([
    ['a secret after a backslash', String.raw`CORP\bobspassword1`, 'bobspassword1', 'CORP********'],
    ['one in JSON', String.raw`{"a":"CORP\\nightowl-pass"}`, 'nightowl-pass', String.raw`{"a":"CORP\\********"}`],
    ['one after a percent sign', '100%deadbeef-token', 'deadbeef-token', '100********'],
    ['one that ends in a backslash', String.raw`{"a":"password\\"}`, 'password\\', '{"a":"********"}'],
    ['one of HTML in a URL', 'CORP%5Cnightowl%26quot%3Bx', 'nightowl"x', 'CORP%5C********'],
    ['one whose decoded text is short', 'abc and %41%42%43', '%41%42%43', 'abc and ********'],
    ['one that overlaps itself', 'ababababab!', 'abababab', '********!'],
  ])('are redacted when a server repeats %s', (_what, text, secret, redacted) => {
    expect(redactSecrets([secret])(text)).toBe(redacted)
  })

  it.each(['my sécrét €', 'my sécrét \ufffd', 'my sécrét \ud83d', String.raw`my sécrét \ud83d\ude`, 'my sécrét %'])(
    'are redacted when the text is cut off: %s',
    (cut) =>
      expect(redactSecrets(['my sécrét €😀', 'my sécrét 😀'], { isTruncated: true })(`so ${cut}`)).toBe('so ********'),
  )

  it('are redacted in the variants of Base64, while a user alone is shown', () => {
    const redact = (text: string) =>
      redactIntegrationSecrets(['pass>??>1'], { user: 'ada@b.test', isTruncated: true })(text)
    for (const encoding of ['base64', 'base64url'] as const) {
      const encoded = Buffer.from('ada@b.test:pass>??>1').toString(encoding)
      expect(redact(`no ${encoded}, no ${encoded.replaceAll('=', '')}.`)).toBe('no [secret], no [secret].')
    }
    expect(redact('no mailbox ada@b.test')).toBe('no mailbox ada@b.test')
    expect(redact('no mailbox ada@b.test:p')).toBe('no mailbox [secret]')
  })
})
