import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from '@jest/globals'
import { openApiDocument } from '@wp/contracts'
import { startDocsServer } from './fixture/docs-server.ts'
import { readSite } from './fixture/site.ts'

const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

const site = await readSite()
const server = await startDocsServer(site)
afterAll(() => server.stop())

/** Sends a request without decompressing the response, as `fetch` would. */
const get = (path: string, headers: Record<string, string> = {}, method = 'GET', base = server.baseUrl) =>
  new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>((resolve, reject) => {
    const sent = request(`${base}${path}`, { method, headers }, async (response) => {
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk)
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) })
    })
    sent.on('error', reject).end()
  })

describe('the documentation server', () => {
  it('sends pages with a policy that allows nothing inline and nothing of other origins', async () => {
    const { status, headers, body } = await get('/docs/quickstart')
    expect(status).toBe(200)
    expect(String(body)).toContain('<h1>Quickstart</h1>')
    expect(String(headers['content-security-policy']).split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self'",
      "font-src 'self'",
      "connect-src 'self'",
      "manifest-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ])
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'cache-control': 'no-cache',
      vary: 'accept-encoding',
    })
  })

  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('sends the stored %s encoding of a page, with an entity tag of its own', async (encoding, decompress) => {
    const plain = await get('/docs/errors/not_found')
    const encoded = await get('/docs/errors/not_found', { 'accept-encoding': encoding })
    expect(encoded.headers['content-encoding']).toBe(encoding)
    expect(decompress(encoded.body)).toEqual(plain.body)
    expect(encoded.headers.etag).not.toBe(plain.headers.etag)
    const condition = { 'accept-encoding': encoding, 'if-none-match': String(encoded.headers.etag) }
    expect(await get('/docs/errors/not_found', condition)).toMatchObject({ status: 304, body: Buffer.alloc(0) })
    expect((await get('/docs/errors/not_found', { 'if-none-match': '"other"' })).status).toBe(200)
  })

  it('sends files whose names contain a hash as immutable', async () => {
    const script = [...site.files.keys()].find((path) => /\/assets\/site-.*\.js$/.test(path)) ?? ''
    const { headers } = await get(script)
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    })
  })

  it('responds to HEAD without a body', async () => {
    const { status, headers, body } = await get('/docs', {}, 'HEAD')
    expect([status, body.length]).toEqual([200, 0])
    expect(Number(headers['content-length'])).toBeGreaterThan(1_000)
  })

  it('responds with 404 to unknown paths: a page for browsers, a problem for clients', async () => {
    for (const path of [
      '/docs/none',
      '/docs/errors/none',
      '/docs/assets/none.js',
      '/docs/404',
      '/docs/../package.json',
    ]) {
      const page = await get(path, html)
      expect([path, page.status]).toEqual([path, 404])
      if (path.startsWith('/docs/n')) expect(String(page.body)).toContain('<h1>Page not found</h1>')
      const client = await get(path)
      expect(client).toMatchObject({ status: 404, headers: { 'content-type': 'application/problem+json' } })
    }
  })

  it('redirects a path with a slash at its end', async () => {
    const { status, headers } = await get('/docs/quickstart/')
    expect([status, headers.location]).toEqual([308, '/docs/quickstart'])
    expect((await get('/docs/')).headers.location).toBe('/docs')
  })

  it('lists every page in the sitemap', async () => {
    const { headers, body } = await get('/docs/sitemap.xml')
    expect(headers['content-type']).toMatch(/^application\/xml/)
    const listed = [...String(body).matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => address)
    expect(listed).toEqual(site.pages.map((path) => `${server.baseUrl}${path}`))
    expect(listed.length).toBeGreaterThan(250)
  })

  it('states its own address in the OpenAPI document', async () => {
    const document = JSON.parse(String((await get('/openapi.json')).body))
    expect(document.servers).toEqual([{ url: server.baseUrl }])
    const { tokenUrl } = document.components.securitySchemes.oauth2.flows.clientCredentials
    expect(tokenUrl).toBe(`${server.baseUrl}/v1/auth/token`)
    expect(Object.keys(document.paths)).toEqual(Object.keys(openApiDocument(server.baseUrl, 'v1').paths as object))
  })

  it('responds with 503 when the site was not built', async () => {
    const empty = await startDocsServer(undefined)
    for (const path of ['/docs', '/openapi.json']) {
      const { status, body } = await get(path, {}, 'GET', empty.baseUrl)
      expect([status, JSON.parse(String(body)).code]).toEqual([503, 'service_unavailable'])
    }
    await empty.stop()
  })
})
