import { describe, expect, it } from '@jest/globals'
import { crawlFailureOfSite, crawlSite, respond, respondJson, startCrawl, startSite } from '../../support/http-site.ts'

const queryOf = (url: string) => new URL(url, 'http://x').searchParams

describe('a document that has not changed', () => {
  const modified = 'Wed, 04 Nov 2026 10:00:00 GMT'
  const changing = (headers: Record<string, string>) => {
    const state = { body: 'id\n1\n', headers }
    const answers = startSite((response, asked) => {
      const { 'if-none-match': etag, 'if-modified-since': since } = asked.headers
      const isKnown =
        etag === undefined
          ? since !== undefined && since === state.headers['last-modified']
          : etag === state.headers.etag
      if (isKnown) response.writeHead(304).end()
      else respond('text/csv', state.body, state.headers)(response, asked)
    })
    return { state, answers }
  }

  it.each<[string, Record<string, string>]>([
    ['a tag', { etag: 'W/"1"' }],
    ['a time', { 'last-modified': modified }],
    ['both', { etag: '"1"', 'last-modified': modified }],
  ])('is not sent again, by %s, in either mode; a changed one is', async (_, headers) => {
    const { state, answers } = changing(headers)
    const { url } = await answers
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
    expect([second.values, second.end]).toEqual([[{ id: '2' }], 'complete'])
    expect((await crawlSite({ url }, { cursor: second.cursor })).end).toBe('unchanged')
  })

  it('is asked for anew where something else is read, and where the bookmark cannot be', async () => {
    const { answers } = changing({ etag: '"1"' })
    const { url, requests } = await answers
    const { cursor } = await crawlSite({ url })
    requests.length = 0
    for (const config of [
      { url: `${url}/?x` },
      { url, headers: { 'accept-language': 'de' } },
      { url, format: 'csv' },
      { url, charset: 'latin1' },
      { url, paging: { type: 'link' } },
      { url, since: { field: 'id', parameter: 'since' } },
    ])
      expect((await crawlSite(config, { cursor })).end).toBe('complete')
    for (const other of ['', 'x', '{}', '[1]', '{"of":7}'])
      expect((await crawlSite({ url }, { cursor: other })).end).toBe('complete')
    expect(requests.map(({ headers }) => headers['if-none-match'])).toEqual(Array(11).fill(undefined))
  })

  it('is known only once it was read to its end', async () => {
    const { url } = await startSite(respond('text/csv', `id\n${'1\n'.repeat(5000)}`, { etag: '"1"' }))
    const pages = []
    for await (const page of startCrawl({ url })) pages.push(page)
    expect(pages.length).toBeGreaterThan(2)
    expect(pages.slice(0, -1).map(({ cursor }) => cursor)).toEqual(pages.slice(1).map(() => undefined))
    expect(JSON.parse(pages.at(-1)?.cursor ?? '')).toMatchObject({ document: { at: `${url}/`, etag: '"1"' } })
  })

  it('is known by the address it was redirected to, and no other', async () => {
    let to = '/a'
    const { url, requests } = await startSite((response, one) => {
      if (one.url === '/') response.writeHead(302, { location: to }).end()
      else if (one.headers['if-none-match'] === '"1"') response.writeHead(304).end()
      else respond('text/csv', 'id\n1\n', { etag: '"1"' })(response, one)
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

describe('since the last time', () => {
  const rowsOf = async (rows: () => unknown[]) => startSite((response, asked) => respondJson(rows())(response, asked))
  const since = { field: 'at', parameter: 'from' }

  it.each<[string, unknown[], Record<string, unknown>, string]>([
    [
      'the latest time',
      ['2026-01-02T00:00:00Z', '2026-01-03T01:00:00+02:00', '2026-01-02T22:00:00Z'],
      {},
      '2026-01-03T01:00:00+02:00',
    ],
    ['the greatest number', ['9', '10', '7'], {}, '10'],
    ['the greatest number of JSON', [9, 10.5, 7], {}, '10.5'],
    ['the greatest text', ['b9', 'b10', 'a'], {}, 'b9'],
    ['a time less the overlap', ['2026-01-02T00:00:30.123456Z'], { overlap_seconds: 60 }, '2026-01-01T23:59:30.123Z'],
    [
      'a time of a zone less the overlap',
      ['2026-01-02T02:00:00+02:00'],
      { overlap_seconds: 60 },
      '2026-01-01T23:59:00.000Z',
    ],
    ['a time without a zone', ['2026-01-02 00:00'], { overlap_seconds: 60 }, '2026-01-01 23:59:00.000'],
    ['a date less the overlap', ['2026-01-02'], { overlap_seconds: 60 }, '2026-01-01'],
    ['a number as it is', [1000], { overlap_seconds: 60 }, '1000'],
    [
      'a number that is declared a time',
      [1_767_312_000],
      { overlap_seconds: 60, fields: { at: { type: 'timestamp' } } },
      '1767311940',
    ],
    [
      'milliseconds that are declared a time',
      [1_767_312_000_000],
      { overlap_seconds: 60, fields: { at: { type: 'timestamp' } } },
      '1767311940000',
    ],
    ['nothing of rows that have none', [null, '', {}, '2026-01-02'], {}, '2026-01-02'],
  ])('%s is sent', async (_, values, config, expected) => {
    const { url, requests } = await rowsOf(() => values.map((at) => ({ at })))
    const { cursor } = await crawlSite({ url: `${url}/?q=1`, since, ...config })
    const again = await crawlSite({ url: `${url}/?q=1`, since, ...config }, { cursor })
    expect(requests.map(({ url: path }) => queryOf(path).get('from'))).toEqual([null, expected])
    expect(JSON.parse(again.cursor ?? '')).toEqual(JSON.parse(cursor ?? ''))
  })

  it('never goes back, stays when nothing comes, and is not sent in a full sync, which says it anew', async () => {
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

  it('says the greatest value only at the end, as rows may come in any order', async () => {
    const { url, requests } = await startSite((response, one) => {
      const page = Number(queryOf(one.url).get('page'))
      respondJson(page > 3 ? [] : [{ at: `${9 - page}` }])(response, one)
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

describe('a crawl that was cut off', () => {
  const paged = (pages: number) =>
    startSite((response, one) => {
      const page = Number(queryOf(one.url).get('page') ?? 1)
      if (page > pages) respondJson([])(response, one)
      else respondJson([{ id: page, at: `${page === 1 ? 99 : page}` }])(response, one)
    })
  const config = { since: { field: 'at', parameter: 'from' }, paging: { type: 'page' } }

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

  it('goes on at the page it was at, and keeps what it had found', async () => {
    const { url, requests } = await paged(4)
    const cursor = await cutOff(url, 2)
    requests.length = 0
    const rest = await crawlSite({ url, ...config }, { cursor })
    expect(rest.values).toEqual([3, 4].map((id) => ({ id, at: String(id) })))
    expect(requests.map(({ url: path }) => path)).toEqual(['/?page=3', '/?page=4', '/?page=5'])
    expect(JSON.parse(rest.cursor ?? '')).toEqual({ of: expect.any(String), since: '99' })
  })

  it('begins again in a full sync, and when much time has gone by', async () => {
    const { url, requests } = await paged(2)
    const cursor = await cutOff(url, 1)
    requests.length = 0
    expect((await crawlSite({ url, ...config }, { cursor, mode: 'full' })).values).toHaveLength(2)
    const later = () => Date.now() + 2 * 3_600_000
    expect((await crawlSite({ url, ...config }, { cursor, now: later })).values).toHaveLength(2)
    expect(requests.map(({ url: path }) => path)).toEqual([1, 2, 3, 1, 2, 3].map((page) => `/?page=${page}`))
  })

  it('begins again where the page is no longer there', async () => {
    let isGone = false
    const { url } = await startSite((response, one) => {
      const after = queryOf(one.url).get('after')
      if (isGone && after === 'x') response.writeHead(410).end()
      else
        respondJson({ items: [{ id: `${isGone}` }], next: after === null ? (isGone ? 'y' : 'x') : null })(response, one)
    })
    const byCursor = { url, rows_path: '/items', paging: { type: 'cursor', path: '/next', parameter: 'after' } }
    const crawl = startCrawl(byCursor)
    const first = await crawl.next()
    await crawl.return('complete')
    isGone = true
    const cursor = first.done === true ? '' : String(first.value.cursor)
    expect((await crawlSite(byCursor, { cursor })).values).toEqual([{ id: 'true' }, { id: 'true' }])
  })

  it('says nothing while a full sync is under way', async () => {
    const { url } = await paged(3)
    const { pages } = await crawlSite({ url, ...config }, { mode: 'full' })
    expect(pages.slice(0, -1).map(({ cursor }) => cursor)).toEqual([undefined, undefined, undefined])
  })

  it('fails as any other where the server refuses the credentials', async () => {
    const { url } = await paged(3)
    const cursor = await cutOff(url, 1)
    const refusing = await startSite((response) => response.writeHead(401).end())
    expect(await crawlFailureOfSite({ url: refusing.url, ...config }, { cursor })).toMatchObject({ code: 'auth' })
  })
})
