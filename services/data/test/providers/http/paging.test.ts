import { afterAll, describe, expect, it } from '@jest/globals'
import { findNextLink } from '../../../src/providers/http/link-header.ts'
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

const linkPaging = { paging: { type: 'link' } }
const cursorPaging = { rows_path: '/items', paging: { type: 'cursor', path: '/meta/next', parameter: 'after' } }
const queryOf = (url: string) => new URL(url, 'http://x').searchParams
const paths = (requests: readonly { url: string }[]) => requests.map(({ url }) => url)

describe('link paging', () => {
  it.each<[string, string | string[], string | undefined]>([
    [
      'in the usual notation',
      '<https://a.test/?p=2>; rel="next", <https://a.test/?p=9>; rel="last"',
      'https://a.test/?p=2',
    ],
    ['without quotes, later', '</1>; rel=prev, </3>; rel=next', '/3'],
    ['among several relations, in any case', '</3>; REL="last NEXT"', '/3'],
    [
      'after a quoted text that looks like one',
      '</1>; title="a, </2>; rel=next \\" x"; rel=prev, </3>; rel=next',
      '/3',
    ],
    ['with commas and semicolons in its address', '</a,b;c?x=1,2>;rel="next"', '/a,b;c?x=1,2'],
    ['with other parameters and white space', '  <  ?p=2  > ; x ; y = "z" ;\trel = next', '?p=2'],
    ['in another field', ['</1>; rel=prev', '</3>; rel=next'], '/3'],
    ['with an empty address', '<>; rel=next', ''],
    ['by its first rel parameter only', '</1>; rel=prev; rel=next', undefined],
    ['with an anchor, which is ignored', '</1>; rel=next; anchor="/other"', undefined],
    ['with another relation', '</1>; rel=nextish', undefined],
    ['that is malformed', 'rel=next; /1', undefined],
    ['that is absent', [], undefined],
  ])('finds the next link %s', (_, field, target) => {
    expect(findNextLink(field)).toBe(target)
  })

  it('follows links relative to their page and stops at a cycle', async () => {
    const { url, requests } = await startSite({
      '/v1/rows': respondJson([{ id: 1 }], { link: '<rows/2?x=%20y>; rel=next' }),
      '/v1/rows/2': respondJson([{ id: 2 }, 3], { link: '<?page=3>; rel="next"' }),
    })
    const failed = await crawlFailureOfSite({ url: `${url}/v1/rows?first`, ...linkPaging })
    // The third page is the second address with another query, which links to itself.
    expect(failed).toMatchObject({ code: 'config', message: expect.stringContaining('leads back to a page') })
    expect(paths(requests)).toEqual(['/v1/rows?first', '/v1/rows/2?x=%20y', '/v1/rows/2?page=3'])
  })

  it('reports the page of a bad row', async () => {
    const { url } = await startSite((response, { url: path }) =>
      path === '/2'
        ? respond('text/csv', 'id,n\n1\n2,2\n')(response, { url: path, headers: {} })
        : respond('text/csv', 'id,n\n1,1\n', { link: '</2>; rel=next' })(response, { url: path, headers: {} }),
    )
    const { pages } = await crawlSite({ url, ...linkPaging })
    expect(pages.map(({ rows }) => rows)).toEqual([
      [{ line: 2, page: 1, value: { id: 1, n: 1 } }],
      [
        { line: 2, reason: 'page 2: has 1 columns where the header has 2' },
        { line: 3, page: 2, value: { id: 2, n: 2 } },
      ],
    ])
  })

  it.each([
    ['another site', 'http://127.0.0.2:9999/x', 'which is another site'],
    ['an invalid address', 'http://[', 'a next page with an invalid address'],
    ['an address without https', 'http://127.0.0.1:9999/x', 'which is not https'],
  ])('rejects a link to %s', async (what, target, message) => {
    const handler = respondJson([{ id: 1 }], { link: `<${target}>; rel=next` })
    const { url } = await startSite(handler, { tls: what === 'an address without https' })
    expect(await crawlFailureOfSite({ url, ...linkPaging })).toEqual({
      code: 'config',
      message: expect.stringContaining(message),
      retryable: false,
    })
  })
})

describe('cursor paging', () => {
  it('sends the cursor until there is none and keeps the other parameters as written', async () => {
    const { url, requests } = await startSite((response, { url: path }) => {
      const after = queryOf(path).get('after')
      const next = { null: 'a&b=c', 'a&b=c': 90071992547409931n, '90071992547409931': '' }[String(after)]
      const body = `{"meta":{"next":${typeof next === 'bigint' ? next : JSON.stringify(next ?? null)}},"items":[{"id":${requests.length}}]}`
      respond('application/json', body)(response, { url: path, headers: {} })
    })
    const { values, end } = await crawlSite({ url: `${url}/?q=a%20b+c&after=x`, ...cursorPaging })
    // The value in the address of the source is that of the first page.
    expect(paths(requests).map((path) => path.slice(2))).toEqual(['q=a%20b+c&after=x'])
    expect([values, end]).toEqual([[{ id: 1 }], 'complete'])
    requests.length = 0
    await crawlSite({ url: `${url}/?q=a%20b+c`, ...cursorPaging })
    expect(paths(requests).map((path) => path.slice(2))).toEqual([
      'q=a%20b+c',
      'q=a%20b+c&after=a%26b%3Dc',
      'q=a%20b+c&after=90071992547409931',
    ])
  })

  it('finds the cursor in a single row', async () => {
    const { url } = await startSite((response, request) =>
      respondJson(queryOf(request.url).has('after') ? { id: 2 } : { id: 1, next: 'x' })(response, request),
    )
    const { values } = await crawlSite({ url, paging: { type: 'cursor', path: '/next', parameter: 'after' } })
    expect(values).toEqual([{ id: 1, next: 'x' }, { id: 2 }])
  })

  it.each([
    ['repeats', () => 'same', 'config', 'leads back to a page'],
    ['forms a cycle', (after: string | null) => (after === 'a' ? 'b' : 'a'), 'config', 'leads back to a page'],
    ['is an object', () => ({}), 'schema', '"/meta/next" is neither a string nor a number'],
    ['is too long', () => 'x'.repeat(300_000), 'schema', 'the value at "/meta/next" is too long'],
  ])('fails when the cursor %s', async (_, next, code, message) => {
    const { url } = await startSite((response, request) =>
      respondJson({ meta: { next: next(queryOf(request.url).get('after')) }, items: [{ id: 1 }] })(response, request),
    )
    expect(await crawlFailureOfSite({ url, ...cursorPaging })).toMatchObject({
      code,
      message: expect.stringContaining(message),
    })
  })
})

describe('numbered pages', () => {
  const numbered = (pages: number, beyond: (page: number) => unknown[] | undefined = () => []) =>
    startSite((response, request) => {
      const page = Number(queryOf(request.url).get('p'))
      const rows = page < pages ? [{ id: page }] : beyond(page)
      if (rows === undefined) response.writeHead(404).end()
      else respondJson(rows)(response, request)
    })

  it.each([
    ['a page without rows', () => []],
    ['a missing page', () => undefined],
  ])('end at %s', async (_, beyond) => {
    const { url, requests } = await numbered(3, beyond)
    const paging = { type: 'page', parameter: 'p', first: 0, size_parameter: 'n', size: 50 }
    const { values, end } = await crawlSite({ url: `${url}/?p=7&q=1`, paging })
    expect([values, end]).toEqual([[{ id: 0 }, { id: 1 }, { id: 2 }], 'complete'])
    expect(paths(requests)).toEqual([0, 1, 2, 3].map((page) => `/?q=1&n=50&p=${page}`))
  })

  it('fail when the first page is missing', async () => {
    const { url } = await numbered(0, () => undefined)
    expect(await crawlFailureOfSite({ url, paging: { type: 'page', parameter: 'p', first: 0 } })).toMatchObject({
      code: 'config',
    })
  })

  it('fail when the server ignores the page parameter', async () => {
    const { url, requests } = await startSite(respondJson([{ id: 1 }]))
    expect(await crawlFailureOfSite({ url, paging: { type: 'page' } })).toEqual({
      code: 'config',
      message: 'Page 2 is identical to a page before: is the parameter `page` right?',
      retryable: false,
    })
    expect(requests).toHaveLength(2)
  })

  it.each([
    ['repeats earlier pages', (page: number) => [{ id: page % 2 }], 'Page 3 is identical to a page before'],
    ['counts rows', (page: number) => [0, 1, 2, 3, 4].map((row) => ({ id: page + row })), 'seems to count rows'],
  ])('fail when the server %s', async (_, rowsOf, message) => {
    const { url } = await startSite((response, request) =>
      respondJson(rowsOf(Number(queryOf(request.url ?? '').get('p'))))(response, request),
    )
    const failure = await crawlFailureOfSite({ url, paging: { type: 'page', parameter: 'p', first: 0 } })
    expect(failure).toMatchObject({ code: 'config', message: expect.stringContaining(message) })
  })
})

describe('pages by rows', () => {
  const feed = (first: number, members = (_at: number): object => ({})) =>
    startSite((response, request) => {
      const at = Number(queryOf(request.url ?? '').get('startIndex') ?? first)
      const items = [0, 1, 2, 3, 4]
        .slice(Math.max(0, at - first))
        .slice(0, 2)
        .map((id) => ({ id }))
      respondJson({ items, ...members(at) })(response, request)
    })

  it.each([0, 1])('read each row once when the first has the number %i', async (first) => {
    const { url } = await feed(first)
    const paging = { type: 'offset', parameter: 'startIndex', first }
    const { values, end } = await crawlSite({ url, rows_path: '/items', paging })
    expect([values, end]).toEqual([[0, 1, 2, 3, 4].map((id) => ({ id })), 'complete'])
  })

  it('fail when a page begins with the last row of the page before', async () => {
    const { url } = await feed(1)
    const paging = { type: 'offset', parameter: 'startIndex' }
    expect(await crawlFailureOfSite({ url, rows_path: '/items', paging })).toMatchObject({
      message: expect.stringContaining('is `first` of the paging right?'),
    })
  })

  it('are followed by the address in the response, relative to it', async () => {
    const next = (at: number) => (at < 4 ? { '@odata.nextLink': `?startIndex=${at + 2}` } : {})
    const { url } = await feed(0, next)
    const paging = { type: 'link', path: '/@odata.nextLink' }
    const { values } = await crawlSite({ url: `${url}/rows`, rows_path: '/items', paging })
    expect(values).toEqual([0, 1, 2, 3, 4].map((id) => ({ id })))
  })

  it.each([{ next: '?startIndex=2' }, { meta: { next_cursor: 7 } }, { links: { next: null } }])(
    'leave a warning when a source without paging has %j',
    async (members) => {
      const { url } = await feed(0, () => members)
      const { pages } = await crawlSite({ url, rows_path: '/items' })
      const isLast = 'links' in members
      expect(pages.flatMap(({ warnings }) => warnings)).toMatchObject(isLast ? [] : [{ code: 'further_pages' }])
    },
  )
})

it('a crawl fails after ten thousand pages', async () => {
  const { url, requests } = await startSite((response, request) =>
    respondJson({ items: [{ id: 1 }], meta: { next: `${requests.length}` } })(response, request),
  )
  const config = { url, key: 'id', ...cursorPaging }
  const begun = await startCrawl(config).next()
  const stored = JSON.parse(String(!begun.done && begun.value.cursor))
  stored.under_way.pages = 9_998
  expect(await crawlFailureOfSite(config, { cursor: JSON.stringify(stored) })).toEqual({
    code: 'config',
    message: 'There are more than 10000 pages',
    retryable: false,
  })
  expect(requests).toHaveLength(3)
})
