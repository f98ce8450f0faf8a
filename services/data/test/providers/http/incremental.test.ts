import { afterAll, describe, expect, it } from '@jest/globals'
import {
  closeSites,
  crawlFailureOfSite,
  crawlSite,
  respond,
  respondJson,
  startCrawl,
  startSite,
} from '../../support/sources/http-site.ts'

afterAll(closeSites)

const queryOf = (url: string) => new URL(url, 'http://x').searchParams

describe('an unchanged document', () => {
  const modified = 'Wed, 04 Nov 2026 10:00:00 GMT'
  const changing = (headers: Record<string, string>) => {
    const state = { body: 'id\n1\n', headers }
    const starting = startSite((response, request) => {
      const { 'if-none-match': etag, 'if-modified-since': since } = request.headers
      const isKnown =
        etag === undefined
          ? since !== undefined && since === state.headers['last-modified']
          : etag === state.headers.etag
      if (isKnown) response.writeHead(304).end()
      else respond('text/csv', state.body, state.headers)(response, request)
    })
    return { state, starting }
  }

  it.each<[string, Record<string, string>]>([
    ['an ETag', { etag: 'W/"1"' }],
    ['a modification time', { 'last-modified': modified }],
    ['both', { etag: '"1"', 'last-modified': modified }],
  ])('is recognized by %s in both modes, and read once it changes', async (_, headers) => {
    const { state, starting } = changing(headers)
    const { url } = await starting
    const first = await crawlSite({ url })
    for (const mode of ['full', 'incremental'] as const)
      expect(await crawlSite({ url }, { cursor: first.cursor, mode })).toEqual({
        pages: [],
        values: [],
        cursor: undefined,
        end: 'unchanged',
      })
    state.body = 'id\n2\n'
    state.headers = { etag: '"2"', 'last-modified': 'Thu, 05 Nov 2026 10:00:00 GMT' }
    const second = await crawlSite({ url }, { cursor: first.cursor, mode: 'full' })
    expect([second.values, second.end]).toEqual([[{ id: 2 }], 'complete'])
    expect((await crawlSite({ url }, { cursor: second.cursor })).end).toBe('unchanged')
  })

  it('is read again when the config or the stored cursor does not match', async () => {
    const { starting } = changing({ etag: '"1"' })
    const { url, requests } = await starting
    const { cursor } = await crawlSite({ url })
    requests.length = 0
    for (const config of [
      { url: `${url}/?x` },
      { url, headers: { 'accept-language': 'de' } },
      { url, charset: 'latin1' },
      { url, paging: { type: 'link' } },
      { url, since: { field: 'id', parameter: 'since' } },
    ])
      expect((await crawlSite(config, { cursor })).end).toBe('complete')
    for (const other of ['', 'x', '{}', '[1]', '{"of":7}'])
      expect((await crawlSite({ url }, { cursor: other })).end).toBe('complete')
    expect(requests.map(({ headers }) => headers['if-none-match'])).toEqual(Array(10).fill(undefined))
  })

  it('is recorded only once it was read completely', async () => {
    const { url } = await startSite(respond('text/csv', `id\n${'1\n'.repeat(5000)}`, { etag: '"1"' }))
    const pages = []
    for await (const page of startCrawl({ url })) pages.push(page)
    expect(pages.length).toBeGreaterThan(2)
    expect(pages.slice(0, -1).map(({ cursor }) => cursor)).toEqual(pages.slice(1).map(() => undefined))
    expect(JSON.parse(pages.at(-1)?.cursor ?? '')).toMatchObject({ document: { at: `${url}/`, etag: '"1"' } })
  })

  it('is recognized only at the address it was redirected to', async () => {
    let to = '/a'
    const { url, requests } = await startSite((response, request) => {
      if (request.url === '/') response.writeHead(302, { location: to }).end()
      else if (request.headers['if-none-match'] === '"1"') response.writeHead(304).end()
      else respond('text/csv', 'id\n1\n', { etag: '"1"' })(response, request)
    })
    const { cursor } = await crawlSite({ url })
    expect((await crawlSite({ url }, { cursor })).end).toBe('unchanged')
    to = '/b'
    expect((await crawlSite({ url }, { cursor })).end).toBe('complete')
    expect(requests.filter(({ url: path }) => path === '/').map(({ headers }) => headers['if-none-match'])).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })
})

describe('the since parameter', () => {
  const rowsOf = async (rows: () => unknown[]) =>
    startSite((response, request) => respondJson(rows())(response, request))
  const since = { field: 'at', parameter: 'from' }

  it.each<[string, unknown[], Record<string, unknown>, string]>([
    [
      'the latest timestamp',
      ['2026-01-02T00:00:00Z', '2026-01-03T01:00:00+02:00', '2026-01-02T22:00:00Z'],
      {},
      '2026-01-03T01:00:00+02:00',
    ],
    ['the greatest number', ['9', '10', '7'], {}, '10'],
    ['the greatest JSON number', [9, 10.5, 7], {}, '10.5'],
    ['the greatest text', ['b9', 'b10', 'a'], {}, 'b9'],
    [
      'a timestamp minus the overlap',
      ['2026-01-02T00:00:30.123456Z'],
      { overlap_seconds: 60 },
      '2026-01-01T23:59:30.123Z',
    ],
    [
      'a timestamp with an offset minus the overlap',
      ['2026-01-02T02:00:00+02:00'],
      { overlap_seconds: 60 },
      '2026-01-01T23:59:00.000Z',
    ],
    [
      'a timestamp without a zone minus the overlap',
      ['2026-01-02 00:00'],
      { overlap_seconds: 60 },
      '2026-01-01T23:59:00.000',
    ],
    ['a date minus the overlap', ['2026-01-02'], { overlap_seconds: 60 }, '2026-01-01'],
    ['a number unchanged', [1000], { overlap_seconds: 60 }, '1000'],
    [
      'seconds declared as a timestamp minus the overlap',
      [1_767_312_000],
      { overlap_seconds: 60, fields: { at: { type: 'timestamp' } } },
      '1767311940',
    ],
    [
      'milliseconds declared as a timestamp minus the overlap',
      [1_767_312_000_000],
      { overlap_seconds: 60, fields: { at: { type: 'timestamp' } } },
      '1767311940000',
    ],
    ['the greatest value, ignoring rows without one', [null, '', {}, '2026-01-02'], {}, '2026-01-02'],
  ])('sends %s', async (_, values, config, expected) => {
    const { url, requests } = await rowsOf(() => values.map((at) => ({ at })))
    const { cursor } = await crawlSite({ url: `${url}/?q=1`, since, ...config })
    const again = await crawlSite({ url: `${url}/?q=1`, since, ...config }, { cursor })
    expect(requests.map(({ url: path }) => queryOf(path).get('from'))).toEqual([null, expected])
    expect(JSON.parse(again.cursor ?? '')).toEqual(JSON.parse(cursor ?? ''))
  })

  it('never decreases, stays without new rows, and is reset by a full sync', async () => {
    let rows: unknown[] = [{ at: '5' }, { at: '3' }]
    const { url, requests } = await rowsOf(() => rows)
    const first = await crawlSite({ url, since })
    rows = []
    const second = await crawlSite({ url, since }, { cursor: first.cursor })
    rows = [{ at: '2' }]
    const third = await crawlSite({ url, since }, { cursor: second.cursor })
    const full = await crawlSite({ url, since }, { cursor: third.cursor, mode: 'full' })
    await crawlSite({ url, since }, { cursor: full.cursor })
    expect(requests.map(({ url: path }) => queryOf(path).get('from'))).toEqual([null, '5', '5', null, '2'])
  })

  it('is stored only after a complete crawl, as rows may come in any order', async () => {
    const { url, requests } = await startSite((response, request) => {
      const page = Number(queryOf(request.url).get('page'))
      respondJson(page > 3 ? [] : [{ at: `${9 - page}` }])(response, request)
    })
    const config = { url, since, paging: { type: 'page' } }
    const { cursor } = await crawlSite(config)
    requests.length = 0
    const crawl = startCrawl(config, { cursor })
    const first = await crawl.next()
    await crawl.return('complete')
    const left = first.done === true ? '' : String(first.value.cursor)
    expect(JSON.parse(left)).toMatchObject({ since: '8', under_way: { place: { page: 2 }, pages: 1 } })
    expect(requests.map(({ url: path }) => path)).toEqual(['/?from=8&page=1'])
  })
})

describe('an interrupted crawl', () => {
  const paged = (pages: number) =>
    startSite((response, request) => {
      const page = Number(queryOf(request.url).get('page') ?? 1)
      if (page > pages) respondJson([])(response, request)
      else respondJson([{ id: page, at: `${page === 1 ? 99 : page}` }])(response, request)
    })
  const config = { key: 'id', since: { field: 'at', parameter: 'from' }, paging: { type: 'page' } }

  async function cutOff(url: string, after: number, more = {}): Promise<string> {
    const crawl = startCrawl({ url, ...config }, more)
    let cursor = ''
    for (let page = 0; page < after; page++) {
      const next = await crawl.next()
      cursor = next.done === true ? cursor : String(next.value.cursor)
    }
    await crawl.return('complete')
    return cursor
  }

  it('resumes at its page and keeps the greatest value', async () => {
    const { url, requests } = await paged(4)
    const cursor = await cutOff(url, 2)
    requests.length = 0
    const rest = await crawlSite({ url, ...config }, { cursor })
    expect(rest.values).toEqual([3, 4].map((id) => ({ id, at: String(id) })))
    expect(requests.map(({ url: path }) => path)).toEqual(['/?page=3', '/?page=4', '/?page=5'])
    expect(JSON.parse(rest.cursor ?? '')).toEqual({ of: expect.any(String), since: '99' })
  })

  it('starts again when rows are numbered because the source has no key', async () => {
    const { url, requests } = await paged(2)
    const { key: _key, ...withoutKey } = config
    const cursor = await cutOff(url, 1)
    requests.length = 0
    expect((await crawlSite({ url, ...withoutKey }, { cursor })).values).toHaveLength(2)
    expect(requests.map(({ url: path }) => path)).toEqual([1, 2, 3].map((page) => `/?page=${page}`))
  })

  it('starts again in a full sync and after an hour', async () => {
    const { url, requests } = await paged(2)
    const cursor = await cutOff(url, 1)
    requests.length = 0
    expect((await crawlSite({ url, ...config }, { cursor, mode: 'full' })).values).toHaveLength(2)
    const later = () => Date.now() + 2 * 3_600_000
    expect((await crawlSite({ url, ...config }, { cursor, now: later })).values).toHaveLength(2)
    expect(requests.map(({ url: path }) => path)).toEqual([1, 2, 3, 1, 2, 3].map((page) => `/?page=${page}`))
  })

  it('starts again when its page has expired', async () => {
    let isGone = false
    const { url } = await startSite((response, request) => {
      const after = queryOf(request.url).get('after')
      if (isGone && after === 'x') response.writeHead(410).end()
      else
        respondJson({ items: [{ id: `${isGone}` }], next: after === null ? (isGone ? 'y' : 'x') : null })(
          response,
          request,
        )
    })
    const byCursor = {
      url,
      key: 'id',
      rows_path: '/items',
      paging: { type: 'cursor', path: '/next', parameter: 'after' },
    }
    const crawl = startCrawl(byCursor)
    const first = await crawl.next()
    await crawl.return('complete')
    isGone = true
    const cursor = first.done === true ? '' : String(first.value.cursor)
    expect((await crawlSite(byCursor, { cursor })).values).toEqual([{ id: 'true' }, { id: 'true' }])
  })

  it('has no cursor during a full sync', async () => {
    const { url } = await paged(3)
    const { pages } = await crawlSite({ url, ...config }, { mode: 'full' })
    expect(pages.slice(0, -1).map(({ cursor }) => cursor)).toEqual([undefined, undefined, undefined])
  })

  it('fails when the server rejects the credentials', async () => {
    const { url } = await paged(3)
    const cursor = await cutOff(url, 1)
    const refusing = await startSite((response) => response.writeHead(401).end())
    expect(await crawlFailureOfSite({ url: refusing.url, ...config }, { cursor })).toMatchObject({ code: 'auth' })
  })
})
