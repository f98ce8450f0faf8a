import { isIP } from 'node:net'
import { afterAll, describe, expect, it } from '@jest/globals'
import { rejectedAddresses } from '../../../../../packages/outbound/test/rejected-addresses.ts'
import { createHttpReader } from '../../../src/providers/http/http-reader.ts'
import {
  authority,
  closeSites,
  crawlFailureOfSite,
  crawlSite,
  integration,
  respond,
  respondJson,
  startCrawl,
  startSite,
} from '../../support/sources/http-site.ts'

afterAll(closeSites)

const oneRow = respondJson([{ id: 1 }])
/** A table of so many bytes, in rows of 1,000. */
const rowsOf = (bytes: number) => `id\n${`${'x'.repeat(999)}\n`.repeat(bytes / 1_000)}`
const moved =
  (location: string, status = 302) =>
  (response: Parameters<typeof oneRow>[0]) =>
    response.writeHead(status, { location }).end()

describe('request headers', () => {
  it('come from the source and its integration; secrets take precedence', async () => {
    const { url, requests } = await startSite(oneRow)
    await crawlSite(
      {
        url: `${url}/v1/rows?q=a%20b`,
        headers: { 'X-Own': 'own', 'x-both': 'own', Range: 'bytes=0-1', 'If-Match': 'x' },
      },
      { integration: integration(`${url}/v1`, { token: 't', 'headers.X-Both': 'secret' }, { 'x-plain': 'plain' }) },
    )
    expect(requests).toMatchObject([
      {
        url: '/v1/rows?q=a%20b',
        headers: {
          authorization: 'Bearer t',
          'x-own': 'own',
          'x-both': 'secret',
          'x-plain': 'plain',
          'user-agent': 'workspace-platform',
          'accept-encoding': 'identity',
        },
      },
    ])
    expect(requests[0]?.headers).not.toHaveProperty('range')
    expect(requests[0]?.headers).not.toHaveProperty('if-match')
  })

  it('include basic authentication', async () => {
    const { url, requests } = await startSite(oneRow)
    await crawlSite({ url }, { integration: integration(url, { username: 'zoë', password: 'p:w' }) })
    expect(requests[0]?.headers.authorization).toBe(`Basic ${Buffer.from('zoë:p:w').toString('base64')}`)
  })

  it.each([
    ['another path', 'http://127.0.0.1:PORT/v2/rows'],
    ['a path that only begins alike', 'http://127.0.0.1:PORT/v1x'],
    ['a step up', 'http://127.0.0.1:PORT/v1/../v2'],
    ['an encoded step up', 'http://127.0.0.1:PORT/v1/%2e%2e/v2'],
    ['a step up for others', 'http://127.0.0.1:PORT/v1/..;/v2'],
    ['an encoded slash', 'http://127.0.0.1:PORT/v1/x%2f..%2f..%2fv2'],
    ['another host', 'http://127.0.0.2:PORT/v1/rows'],
    ['another scheme', 'https://127.0.0.1:PORT/v1/rows'],
    ['a user name before it', 'http://127.0.0.1:PORT@127.0.0.2/v1/rows'],
    ['a user name', 'http://x@127.0.0.1:PORT/v1/rows'],
  ])('are not sent when the address is not under the base URL: %s', async (_, address) => {
    const { url, port, requests } = await startSite(oneRow)
    const connection = integration(`${url}/v1`, { token: 't' })
    expect(
      await crawlFailureOfSite({ url: address.replace('PORT', String(port)) }, { integration: connection }),
    ).toEqual({
      code: 'config',
      message: "The address is not under the integration's `base_url`",
      retryable: false,
    })
    expect(requests).toEqual([])
  })

  it('follow redirects under the base URL only', async () => {
    const other = await startSite(oneRow)
    const { url, requests } = await startSite({
      '/v1/a': moved('/v1/b'),
      '/v1/b': moved('/v2/c'),
      '/v2/c': (response) => moved(`${other.url}/d`, 308)(response),
    })
    const { values } = await crawlSite(
      { url: `${url}/v1/a`, headers: { 'x-own': 'own' } },
      { integration: integration(`${url}/v1`, { token: 't', 'headers.x-key': 'k' }) },
    )
    expect(values).toEqual([{ id: 1 }])
    const sent = [...requests, ...other.requests].map(({ url: path, headers }) => [
      path,
      headers.authorization,
      headers['x-key'],
      headers['x-own'],
    ])
    expect(sent).toEqual([
      ['/v1/a', 'Bearer t', 'k', 'own'],
      ['/v1/b', 'Bearer t', 'k', 'own'],
      ['/v2/c', undefined, undefined, undefined],
      ['/d', undefined, undefined, undefined],
    ])
  })
})

describe('redirects', () => {
  it('are followed up to five times', async () => {
    const handlers = Object.fromEntries(
      [1, 2, 3, 4, 5, 6].map((n) => [`/${n}`, moved(`/${n + 1}#x`, 300 + (n % 3) + 1)]),
    )
    const { url, requests } = await startSite({ ...handlers, '/7': oneRow })
    expect((await crawlSite({ url: `${url}/2` })).values).toEqual([{ id: 1 }])
    requests.length = 0
    expect(await crawlFailureOfSite({ url: `${url}/1` })).toMatchObject({
      code: 'config',
      message: `${url}/1 redirects more than 5 times`,
    })
    expect(requests).toHaveLength(6)
  })

  it('are rejected from https to http and to other schemes', async () => {
    const plain = await startSite(oneRow)
    const { url, requests } = await startSite(
      {
        '/plain': moved(`${plain.url}/x?y`),
        '/file': moved('file:///etc/passwd'),
        '/nowhere': moved('https://['),
        '/silent': (response) => response.writeHead(302).end(),
        '/tls': moved('/good'),
        '/good': oneRow,
      },
      { tls: true },
    )
    expect((await crawlSite({ url: `${url}/tls` })).values).toEqual([{ id: 1 }])
    for (const [path, message] of [
      ['/plain', `redirects to ${plain.url}/x, which is not https`],
      ['/file', 'which is not https'],
      ['/nowhere', 'without a valid location'],
      ['/silent', 'without a valid location'],
    ])
      expect(await crawlFailureOfSite({ url: `${url}${path}` })).toMatchObject({
        code: 'config',
        message: expect.stringContaining(message ?? ''),
      })
    expect(plain.requests).toEqual([])
    expect(requests).toHaveLength(6)
  })
})

describe('an address that is not public', () => {
  // Some of those that the package `outbound` tests.
  const literals = rejectedAddresses
    .map(([address]) => address)
    .filter((each, at) => at % 6 === 0 && isIP(each) !== 0 && !each.includes('%'))
  const urlOf = (address: string) => `http://${isIP(address) === 6 ? `[${address}]` : address}:8009/`
  const outside = { allowCidrs: [] }

  it('is rejected in the config', async () => {
    expect(literals.length).toBeGreaterThan(8)
    for (const address of literals)
      expect([address, await crawlFailureOfSite({ url: urlOf(address) }, { outside })]).toEqual([
        address,
        { code: 'config', message: expect.stringContaining('is not a public address'), retryable: false },
      ])
  })

  it('is rejected as the target of a redirect or a link', async () => {
    const { url, requests } = await startSite((response, { url: path }) => {
      const [, how, to = ''] = /^\/(\w+)\?(.*)$/.exec(path) ?? []
      if (how === 'redirect') response.writeHead(307, { location: decodeURIComponent(to) }).end()
      else
        respondJson([{ id: 1 }], { link: `<${decodeURIComponent(to)}>; rel=next` })(response, {
          url: path,
          headers: {},
        })
    })
    // Loopback is allowed in this test and stands for public addresses.
    for (const address of literals.filter((each) => !each.startsWith('127.'))) {
      const to = encodeURIComponent(urlOf(address))
      const redirected = await crawlFailureOfSite({ url: `${url}/redirect?${to}` })
      const linked = await crawlFailureOfSite({ url: `${url}/link?${to}`, paging: { type: 'link' } })
      const error = {
        code: 'config',
        retryable: false,
        message: expect.stringMatching(/is not a public address|another site/),
      }
      expect([address, redirected, linked]).toEqual([address, error, error])
    }
    expect(requests.length).toBe(2 * literals.filter((each) => !each.startsWith('127.')).length)
  })

  it('is rejected when a host name resolves to it later', async () => {
    const turns = ['127.0.0.1', '10.0.0.1']
    const lookup = async () => [{ address: turns.shift() ?? '10.0.0.1', family: 4 as const }]
    const { port, requests } = await startSite({
      '/1': (response) => response.writeHead(302, { location: '/2', connection: 'close' }).end(),
    })
    expect(await crawlFailureOfSite({ url: `http://one.test:${port}/1` }, { outside: { lookup } })).toMatchObject({
      code: 'transient',
      message: expect.stringContaining('one.test is not a public address, and does not resolve to one'),
    })
    expect(requests.map(({ url }) => url)).toEqual(['/1'])
  })

  it('is rejected when the host name of a link resolves to it later', async () => {
    const turns = ['127.0.0.1', '169.254.169.254']
    const lookup = async () => [{ address: turns.shift() ?? '10.0.0.1', family: 4 as const }]
    const { port } = await startSite((response) =>
      response
        .writeHead(200, { 'content-type': 'text/csv', link: '</2>; rel=next', connection: 'close' })
        .end('a\n1\n'),
    )
    const config = { url: `http://one.test:${port}/1`, paging: { type: 'link' } }
    expect(await crawlFailureOfSite(config, { outside: { lookup } })).toMatchObject({ code: 'transient' })
  })

  it.each([
    ['does not resolve', () => Promise.reject(Object.assign(new Error('no name'), { code: 'ENOTFOUND' }))],
    ['resolves to it', async () => [{ address: '10.1.2.3', family: 4 }]],
  ])('has the same failure for each name when the name %s', async (_condition, lookup) => {
    expect(await crawlFailureOfSite({ url: 'http://one.test:8080/1' }, { outside: { lookup } })).toEqual({
      code: 'transient',
      message:
        'http://one.test:8080/1: one.test is not a public address, and does not resolve to one: check the spelling ' +
        'and the DNS records',
      retryable: true,
    })
  })

  it('is rejected with http when only https is allowed', async () => {
    const { url } = await startSite(oneRow)
    expect(await crawlFailureOfSite({ url }, { protocols: ['https:'] })).toMatchObject({
      code: 'config',
      message: expect.stringContaining('must begin with https://'),
    })
  })
})

describe('a response without rows', () => {
  it.each([
    [401, 'auth', false],
    [403, 'auth', false],
    [404, 'config', false],
    [410, 'config', false],
    [400, 'config', false],
    [206, 'config', false],
    [304, 'config', false],
    [202, 'transient', true],
    [408, 'transient', true],
    [429, 'transient', true],
    [500, 'transient', true],
    [503, 'transient', true],
  ])('with status %i fails as %s', async (status, code, retryable) => {
    const { url, requests } = await startSite((response) => response.writeHead(status).end('why'))
    expect(await crawlFailureOfSite({ url: `${url}/x?key=1` })).toEqual({
      code,
      message: expect.stringContaining(`${url}/x answered ${status}`),
      retryable,
    })
    expect(requests).toHaveLength(retryable ? 4 : 1)
  })

  it('is an empty document with status 204', async () => {
    const { url } = await startSite((response) => response.writeHead(204).end())
    expect(await crawlSite({ url })).toMatchObject({ values: [], end: 'complete' })
  })

  it('is retried until a complete one arrives', async () => {
    let tries = 0
    const { url, requests } = await startSite((response) => {
      tries++
      if (tries === 1) response.writeHead(503, { 'retry-after': '0' }).end()
      else if (tries === 2) response.destroy()
      else if (tries === 3) {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
        response.write('[{"id":0},', () => response.destroy())
      } else response.writeHead(200, { 'content-type': 'application/json' }).end('[{"id":1}]')
    })
    expect((await crawlSite({ url })).values).toEqual([{ id: 1 }])
    expect(requests).toHaveLength(4)
  })

  it('is not retried when the server asks for a longer pause than allowed', async () => {
    const { url, requests } = await startSite((response) => response.writeHead(429, { 'retry-after': '3600' }).end())
    expect(await crawlFailureOfSite({ url })).toEqual({
      code: 'transient',
      message: `${url}/ answered 429 and asks to retry after 3600 s`,
      retryable: true,
    })
    const now = () => Date.parse('2026-11-20T10:00:00Z')
    const date = await startSite((response) =>
      response.writeHead(503, { 'retry-after': 'Fri, 20 Nov 2026 10:02:00 GMT' }).end(),
    )
    expect(await crawlFailureOfSite({ url: date.url }, { now })).toMatchObject({
      message: expect.stringContaining('retry after 120 s'),
    })
    expect([requests.length, date.requests.length]).toEqual([1, 1])
  })

  it('ends the backoff when the crawl is aborted', async () => {
    const reason = new Error('the worker stops')
    const controller = new AbortController()
    const { url, requests } = await startSite((response) => response.writeHead(503, { 'retry-after': '50' }).end())
    // The clock is read when the crawl begins and when Retry-After is parsed.
    let looks = 0
    const now = () => {
      if (++looks === 2) setImmediate(() => controller.abort(reason))
      return Date.now()
    }
    const crawl = startCrawl({ url }, { signal: controller.signal, now }, createHttpReader())
    await expect(crawl.next()).rejects.toBe(reason)
    expect(requests).toHaveLength(1)
  })

  it('ends the body when the crawl is aborted', async () => {
    const reason = new Error('the worker stops')
    const controller = new AbortController()
    const { url } = await startSite((response) => {
      response.writeHead(200, { 'content-type': 'text/csv' }).write(rowsOf(5_000_000))
    })
    const crawl = startCrawl({ url }, { signal: controller.signal })
    expect(await crawl.next()).toMatchObject({ done: false })
    controller.abort(reason)
    const rest = (async () => {
      for await (const _ of crawl);
    })()
    await expect(rest).rejects.toBe(reason)
  })

  it('ends a body that arrives at less than 1 KiB/s after a minute', async () => {
    let clock = 0
    let chunks = 0
    const { url, requests } = await startSite((response) => {
      response.writeHead(200, { 'content-type': 'text/csv' })
      const drip = () => {
        chunks++
        if (!response.destroyed) response.write('1\n', () => setImmediate(drip))
      }
      drip()
    })
    // Two seconds pass at each reading of the clock: before and after each wait for a chunk.
    const now = () => (clock += 2_000)
    expect(await crawlFailureOfSite({ url: `${url}/rows?key=secret` }, { now })).toEqual({
      code: 'transient',
      message: expect.stringMatching(
        new RegExp(`^${url}/rows: the server sent \\d+ bytes in 60 s, less than 1 KiB/s$`),
      ),
      retryable: true,
    })
    expect(requests).toHaveLength(1)
    expect(chunks).toBeGreaterThan(30)
  })

  it('reads a body at 1 KiB/s without end', async () => {
    let clock = 0
    const { url } = await startSite(respond('text/csv', rowsOf(2_000_000)))
    // Each chunk of up to 64 KiB takes 10 s.
    expect((await crawlSite({ url }, { now: () => (clock += 5_000) })).end).toBe('complete')
  })

  it('that ends after rows were yielded fails and is not retried', async () => {
    const { url, requests } = await startSite((response) => {
      response.writeHead(200, { 'content-type': 'text/csv', 'content-length': '9000000' })
      response.write(rowsOf(5_000_000), () => response.destroy())
    })
    expect(await crawlFailureOfSite({ url })).toMatchObject({ code: 'transient', retryable: true })
    expect(requests).toHaveLength(1)
  })

  it.each([
    ['the connection is refused', 'http://127.0.0.1:9999/', {}, 'transient'],
    [
      'the host name does not resolve',
      'https://none.test/',
      { lookup: () => Promise.reject(new Error('ENOTFOUND')) },
      'transient',
    ],
    ['the certificate is not trusted', 'tls', { ca: undefined }, 'config'],
    ['the server does not speak HTTP', 'tls as http', {}, 'transient|schema'],
  ])('fails when %s', async (_, address, outside, code) => {
    const { port } = await startSite(respond('text/csv', 'a\n'), { tls: true })
    const url = { tls: `https://127.0.0.1:${port}/`, 'tls as http': `http://127.0.0.1:${port}/` }[address] ?? address
    const options = 'ca' in outside ? { ca: unrelatedCertificate() } : outside
    expect(await crawlFailureOfSite({ url }, { outside: options })).toMatchObject({
      code: expect.stringMatching(`^(${code})$`),
    })
  })
})

/** A certificate that signed none of the servers. */
const unrelatedCertificate = () => authority.issue({ names: ['unrelated.test'] }).certificate
