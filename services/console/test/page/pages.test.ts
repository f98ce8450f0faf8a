import { createHash } from 'node:crypto'
import { request as sendRaw } from 'node:http'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { PortalPage } from '@wp/contracts'
import { assertionHeader, startService } from '@wp/service'
import { eventually, startTestService, type TestService } from '@wp/testkit'
import { Pool } from 'pg'
import type { WebBuild, WebFile } from '../../src/assets/web-build.ts'
import type { Config } from '../../src/config.ts'
import { definition } from '../../src/index.ts'

const fileOf = (contentType: string, content: string): WebFile => ({
  contentType,
  content: Buffer.from(content),
  gzip: gzipSync(content),
  brotli: brotliCompressSync(content),
})
const script = 'export const answer = 42\n'.repeat(100)

/** Creates a build with one script, one font and an icon. */
const buildWith = (asset: string, content = script): WebBuild => ({
  page: fileOf('text/html; charset=utf-8', `<!doctype html><script type="module" src="/console/assets/${asset}">`),
  signInPage: fileOf('text/html; charset=utf-8', '<!doctype html><meta name="sign-in-providers" content="" />sign in'),
  portalPage: fileOf(
    'text/html; charset=utf-8',
    '<!doctype html><meta name="product-name" content="Workspace platform" /><meta name="portal-page" content="" />portal',
  ),
  assets: new Map([
    [asset, fileOf('text/javascript; charset=utf-8', content)],
    ['font-1.woff2', { contentType: 'font/woff2', content: Buffer.from('font'), gzip: null, brotli: null }],
  ]),
  others: new Map([['favicon.svg', fileOf('image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>')]]),
})

/** Returns the service with a build of a test's own, and its own time. */
const serviceWith = (build: WebBuild | undefined, now: () => number = Date.now) => ({
  ...definition,
  createContext: async (config: Config, runtime: Parameters<typeof definition.createContext>[1]) => ({
    ...(await definition.createContext(config, { ...runtime, now })),
    build,
    portalPages: { find: async (name: string) => portalPages.get(name) },
  }),
})

const theme = { accent: null, mode: 'system', name: `A"><script>alert(1)</script>` } as const
const portalPage = { return_url: null, theme, expires_at: '2126-01-05T09:30:00.000Z', is_revoked: false }
const origins = ['https://app.example.com', 'http://localhost:8080']

/** Pages of portal links, by the last part of their path. */
const portalPages: ReadonlyMap<string, PortalPage> = new Map([
  ['one.framed', { ...portalPage, frame_origins: origins }],
  ['one.alone', { ...portalPage, frame_origins: [] }],
  ['one.expired', { ...portalPage, frame_origins: [], expires_at: '2026-01-05T09:30:00.000Z' }],
])

let console: TestService
let pool: Pool
beforeAll(async () => {
  console = await startTestService(serviceWith(buildWith('app-A1.js')))
  pool = new Pool({ connectionString: console.env.DATABASE_WORKER_URL, max: 1 })
})
afterAll(async () => {
  await pool.end()
  await console.stop()
})

/** Sends a request with exactly this target, and returns the response without decoding it. */
async function get(path: string, headers: Record<string, string> = {}, method = 'GET', url = console.url) {
  const assertion = await console.assertion(console.caller)
  return await new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>((resolve, reject) => {
    // the path as it is: a URL would resolve its dots
    const { hostname, port } = new URL(url)
    const request = sendRaw({ hostname, port, path, method, headers: { [assertionHeader]: assertion, ...headers } })
    request.on('error', reject).on('response', (response) => {
      const chunks: Buffer[] = []
      response
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
        )
    })
    request.end()
  })
}

/** Starts another replica with a build of its own, on the database of the first. */
async function startReplica(build: WebBuild | undefined, now?: () => number) {
  const running = await startService(serviceWith(build, now), { ...console.env, PORT: '0' })
  return { url: running.url, stop: () => running.stop() }
}

describe('the page', () => {
  it.each(['/console', '/console/', '/console/webhooks/whk_1?tab=x', '/console/sign-in/callback', '/console/assets'])(
    'is sent for %s, and never stored',
    async (path) => {
      const { status, headers, body } = await get(path)
      expect([status, headers['content-type'], headers['cache-control']]).toEqual([
        200,
        'text/html; charset=utf-8',
        'no-store',
      ])
      expect(body.toString()).toContain('/console/assets/app-A1.js')
    },
  )

  const own = { 'sec-fetch-site': 'none' }
  const cookie = 'console=secret; other=1'
  it.each([
    ['the sign-in page', 'a browser without a session', '/console/', own],
    ['the sign-in page', 'a link of the platform', '/console/ws_1/data', { 'sec-fetch-site': 'same-origin' }],
    ['the app', 'a browser with a session cookie', '/console/', { ...own, cookie }],
    [
      'the app',
      'a link of another site, with which no cookie is sent',
      '/console/',
      { 'sec-fetch-site': 'cross-site' },
    ],
    ['the app', 'a browser that does not say where the link was', '/console/', {}],
    ['the app', 'the callback of a sign-in', '/console/sign-in/callback', own],
    ['the app', 'the design page', '/console/design', own],
  ])('is %s for %s', async (page, _browser, path, headers) => {
    const { status, headers: received, body } = await get(path, headers)
    expect([status, received['cache-control']]).toEqual([200, 'no-store'])
    expect(body.toString()).toContain(page === 'the app' ? 'app-A1.js' : 'sign in')
  })

  it('allows content of its own origin only, no frame around it and no HTML from scripts', async () => {
    const { headers } = await get('/console/')
    const policy = String(headers['content-security-policy'])
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data:",
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
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': expect.stringContaining('camera=()'),
    })
  })

  it('has no body for HEAD, and refuses other methods', async () => {
    const head = await get('/console/', {}, 'HEAD')
    expect([head.status, head.body.length, Number(head.headers['content-length']) > 0]).toEqual([200, 0, true])
    const post = await get('/console/', {}, 'POST')
    expect([post.status, post.headers.allow]).toEqual([405, 'GET, HEAD'])
  })

  it('is 503 if the app was not built', async () => {
    const replica = await startReplica(undefined)
    try {
      const { status, body } = await get('/console/', {}, 'GET', replica.url)
      expect([status, JSON.parse(body.toString()).detail]).toEqual([503, expect.stringContaining('console:build')])
      expect((await get('/console/assets/app-A1.js', {}, 'GET', replica.url)).status).toBe(200)
    } finally {
      await replica.stop()
    }
  })
})

describe('an asset', () => {
  const path = '/console/assets/app-A1.js'

  it('is immutable, and sent in the smallest encoding that the client accepts', async () => {
    const plain = await get(path)
    expect(plain).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
        vary: 'accept-encoding',
      },
    })
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(plain.body.toString()).toBe(script)
    const brotli = await get(path, { 'accept-encoding': 'gzip, deflate, br, zstd' })
    const gzip = await get(path, { 'accept-encoding': 'gzip;q=1, br;q=0' })
    expect([brotli.headers['content-encoding'], gzip.headers['content-encoding']]).toEqual(['br', 'gzip'])
    expect(brotliDecompressSync(brotli.body).toString()).toBe(script)
    expect(gunzipSync(gzip.body).toString()).toBe(script)
    expect(brotli.body.length).toBeLessThan(script.length)
    expect(new Set([plain, brotli, gzip].map(({ headers }) => headers.etag)).size).toBe(3)
  })

  it('is 304 for a client that has it in the encoding it accepts, also for HEAD', async () => {
    const accepted = { 'accept-encoding': 'br' }
    const { headers } = await get(path, accepted)
    for (const condition of [String(headers.etag), `W/${headers.etag}`, `"x", ${headers.etag}`, '*'])
      for (const method of ['GET', 'HEAD']) {
        const found = await get(path, { ...accepted, 'if-none-match': condition }, method)
        expect([found.status, found.body.length, found.headers.etag]).toEqual([304, 0, headers.etag])
        expect(found.headers['cache-control']).toBe('public, max-age=31536000, immutable')
      }
    expect((await get(path, { 'if-none-match': String(headers.etag) })).status).toBe(200)
    const head = await get(path, accepted, 'HEAD')
    expect([head.status, head.body.length, head.headers['content-length']]).toEqual([200, 0, headers['content-length']])
  })

  it.each(['none-1.js', '', '..', '%2e%2e', 'a/b.js', 'app-A1.js.br', 'index.html', 'a%00.js', 'x'.repeat(300)])(
    'is 404 and never the page when no build has it: %s',
    async (name) => {
      const { status, headers, body } = await get(`/console/assets/${name}`)
      expect([status, headers['content-type'], headers['cache-control']]).toEqual([
        404,
        'application/problem+json',
        'no-store',
      ])
      expect(body.toString()).not.toContain('<!doctype')
    },
  )

  it('is sent as it is where no encoding makes it smaller; other files are revalidated', async () => {
    const font = await get('/console/assets/font-1.woff2', { 'accept-encoding': 'br' })
    expect([font.headers['content-type'], font.headers['content-encoding'], font.body.toString()]).toEqual([
      'font/woff2',
      undefined,
      'font',
    ])
    const icon = await get('/console/favicon.svg')
    expect([icon.headers['content-type'], icon.headers['cache-control']]).toEqual(['image/svg+xml', 'no-cache'])
    expect(icon.headers['content-security-policy']).toContain("default-src 'none'")
  })
})

describe('an asset of another build', () => {
  const newer = 'export const answer = 43\n'.repeat(50)

  it('is served by replicas of both builds during and after a rolling update', async () => {
    const early = await get('/console/assets/app-B2.js')
    expect(early.status).toBe(404)
    const replica = await startReplica(buildWith('app-C3.js', newer))
    try {
      for (const url of [console.url, replica.url])
        for (const [name, content] of [
          ['app-A1.js', script],
          ['app-C3.js', newer],
        ] as const) {
          const found = await get(`/console/assets/${name}`, { 'accept-encoding': 'br' }, 'GET', url)
          expect([found.status, found.headers['content-encoding']]).toEqual([200, 'br'])
          expect(brotliDecompressSync(found.body).toString()).toBe(content)
        }
      expect((await get('/console/', {}, 'GET', replica.url)).body.toString()).toContain('app-C3.js')
    } finally {
      await replica.stop()
    }
    expect((await get('/console/assets/app-C3.js')).status).toBe(200)
  })

  it('is deleted 30 days after its last replica started, but not while a build has it', async () => {
    const dayMs = 86_400_000
    await pool.query(
      `INSERT INTO assets (name, content_type, content, used_at)
       VALUES ('old-1.js', 'text/javascript', 'x', $1), ('recent-1.js', 'text/javascript', 'x', $2)`,
      [new Date(Date.now() - 31 * dayMs), new Date(Date.now() - 29 * dayMs)],
    )
    await pool.query(`UPDATE assets SET used_at = now() - interval '31 days' WHERE name = 'app-A1.js'`)
    const names = async () => (await pool.query('SELECT name FROM assets')).rows.map(({ name }) => name)
    const replica = await startReplica(buildWith('app-A1.js'))
    try {
      await eventually(async () => !(await names()).includes('old-1.js'), { description: 'old-1.js to be deleted' })
      expect(await names()).toEqual(expect.arrayContaining(['app-A1.js', 'recent-1.js', 'font-1.woff2']))
    } finally {
      await replica.stop()
    }
  })

  it('is stored once with its encodings by replicas that start together', async () => {
    const build = buildWith('app-D4.js')
    const replicas = await Promise.all([startReplica(build), startReplica(build)])
    await Promise.all(replicas.map((replica) => replica.stop()))
    const { rows } = await pool.query(`SELECT content, gzip, brotli FROM assets WHERE name = 'app-D4.js'`)
    expect(rows.map(({ content }) => createHash('sha256').update(content).digest('hex'))).toEqual([
      createHash('sha256').update(script).digest('hex'),
    ])
    expect([gunzipSync(rows[0].gzip).toString(), brotliDecompressSync(rows[0].brotli).toString()]).toEqual([
      script,
      script,
    ])
  })
})

describe('the page of a portal link', () => {
  it('can be framed by pages of its origins alone, and states the same in every header', async () => {
    const { status, headers } = await get('/portal/one.framed/-/webhooks')
    expect(status).toBe(200)
    expect(String(headers['content-security-policy'])).toContain(`frame-ancestors ${origins.join(' ')};`)
    expect(headers).not.toHaveProperty('x-frame-options')
    expect(headers).toMatchObject({
      'cross-origin-resource-policy': 'cross-origin',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    })
  })

  it.each(['one.alone', 'one.unknown', ''])('cannot be framed without an origin: %s', async (name) => {
    const { status, headers } = await get(`/portal/${name}`)
    expect(status).toBe(name === 'one.alone' ? 200 : 404)
    expect(String(headers['content-security-policy'])).toContain("frame-ancestors 'none'")
    expect(headers).toMatchObject({ 'x-frame-options': 'DENY', 'cross-origin-resource-policy': 'same-origin' })
  })

  it('has the settings of the link as text, and whether it has ended', async () => {
    const shown = async (name: string) => (await get(`/portal/${name}`)).body.toString()
    const text = await shown('one.alone')
    expect(text).not.toContain('<script>alert')
    expect(text).toContain('content="A&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"')
    expect(text).toContain('&quot;is_ended&quot;:false')
    expect(await shown('one.expired')).toContain('&quot;is_ended&quot;:true')
    expect(await shown('one.unknown')).toContain('<meta name="portal-page" content="" />')
  })
})
