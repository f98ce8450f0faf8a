import { describe, expect, it } from '@jest/globals'
import { findNextLink } from '../../../src/providers/http/link-header.ts'
import { crawlFailureOfSite, crawlSite, respond, respondJson, startCrawl, startSite } from '../../support/http-site.ts'

const linkPaging = { paging: { type: 'link' } }
const cursorPaging = { rows_path: '/items', paging: { type: 'cursor', path: '/meta/next', parameter: 'after' } }
const queryOf = (url: string) => new URL(url, 'http://x').searchParams
const paths = (asked: readonly { url: string }[]) => asked.map(({ url }) => url)

describe('the link to the next page', () => {
  it.each<[string, string | string[], string | undefined]>([
    [
      'as servers write it',
      '<https://a.test/?p=2>; rel="next", <https://a.test/?p=9>; rel="last"',
      'https://a.test/?p=2',
    ],
    ['without quotes, later', '</1>; rel=prev, </3>; rel=next', '/3'],
    ['among several relations, in any case', '</3>; REL="last NEXT"', '/3'],
    ['behind what looks like one', '</1>; title="a, </2>; rel=next \\" x"; rel=prev, </3>; rel=next', '/3'],
    ['with commas and semicolons in its address', '</a,b;c?x=1,2>;rel="next"', '/a,b;c?x=1,2'],
    ['with other parameters and white space', '  <  ?p=2  > ; x ; y = "z" ;\trel = next', '?p=2'],
    ['in another field', ['</1>; rel=prev', '</3>; rel=next'], '/3'],
    ['of an empty address', '<>; rel=next', ''],
    ['of which only the first rel counts', '</1>; rel=prev; rel=next', undefined],
    ['of another document', '</1>; rel=next; anchor="/other"', undefined],
    ['that is none', '</1>; rel=nextish', undefined],
    ['that is broken', 'rel=next; /1', undefined],
    ['that is nowhere', [], undefined],
  ])('%s', (_, field, target) => {
    expect(findNextLink(field)).toBe(target)
  })

  it('is followed from page to page, relative to where it stands, but not in a circle', async () => {
    const { url, requests } = await startSite({
      '/v1/rows': respondJson([{ id: 1 }], { link: '<rows/2?x=%20y>; rel=next' }),
      '/v1/rows/2': respond('text/csv', 'id\n2\n3,4\n', { link: '<?page=3>; rel="next"' }),
    })
    const failed = await crawlFailureOfSite({ url: `${url}/v1/rows?first`, ...linkPaging })
    // The third page is the second address with another query, which leads on to itself.
    expect(failed).toMatchObject({ code: 'config', message: expect.stringContaining('leads back to a page') })
    expect(paths(requests)).toEqual(['/v1/rows?first', '/v1/rows/2?x=%20y', '/v1/rows/2?page=3'])
  })

  it('names the page of a bad row', async () => {
    const { url } = await startSite((response, { url: path }) =>
      path === '/2'
        ? respond('text/csv', 'id,n\n1\n2,2\n')(response, { url: path, headers: {} })
        : respond('text/csv', 'id,n\n1,1\n', { link: '</2>; rel=next' })(response, { url: path, headers: {} }),
    )
    const { pages } = await crawlSite({ url, ...linkPaging })
    expect(pages.map(({ rows }) => rows)).toEqual([
      [{ line: 2, page: 1, value: { id: '1', n: '1' } }],
      [
        { line: 2, reason: 'page 2: has 1 columns where the header has 2' },
        { line: 3, page: 2, value: { id: '2', n: '2' } },
      ],
    ])
  })

  it.each([
    ['another site', 'http://127.0.0.2:9999/x', 'which is another site'],
    ['no address', 'http://[', 'a next page with an invalid address'],
    ['what is not https', 'http://127.0.0.1:9999/x', 'which is not https'],
  ])('does not lead to %s', async (what, target, message) => {
    const answer = respondJson([{ id: 1 }], { link: `<${target}>; rel=next` })
    const { url } = await startSite(answer, { tls: what === 'what is not https' })
    expect(await crawlFailureOfSite({ url, ...linkPaging })).toEqual({
      code: 'config',
      message: expect.stringContaining(message),
      retryable: false,
    })
  })
})

describe('a cursor in the answer', () => {
  it('is sent until there is none, and what else is asked for stays as it is written', async () => {
    const { url, requests } = await startSite((response, { url: path }) => {
      const after = queryOf(path).get('after')
      const next = { null: 'a&b=c', 'a&b=c': 90071992547409931n, '90071992547409931': '' }[String(after)]
      const body = `{"meta":{"next":${typeof next === 'bigint' ? next : JSON.stringify(next ?? null)}},"items":[{"id":${requests.length}}]}`
      respond('application/json', body)(response, { url: path, headers: {} })
    })
    const { values, end } = await crawlSite({ url: `${url}/?q=a%20b+c&after=x`, ...cursorPaging })
    // The source's own value of the parameter is that of the first page.
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

  it('may stand in the one row there is', async () => {
    const { url } = await startSite((response, asked) =>
      respondJson(queryOf(asked.url).has('after') ? { id: 2 } : { id: 1, next: 'x' })(response, asked),
    )
    const { values } = await crawlSite({ url, paging: { type: 'cursor', path: '/next', parameter: 'after' } })
    expect(values).toEqual([{ id: 1, next: 'x' }, { id: 2 }])
  })

  it.each([
    ['comes twice', () => 'same', 'config', 'leads back to a page'],
    ['comes in a circle', (after: string | null) => (after === 'a' ? 'b' : 'a'), 'config', 'leads back to a page'],
    ['is an object', () => ({}), 'schema', '"/meta/next" is neither a string nor a number'],
    ['is too long', () => 'x'.repeat(300_000), 'schema', 'the value at "/meta/next" is too long'],
  ])('that %s ends the crawl', async (_, next, code, message) => {
    const { url } = await startSite((response, asked) =>
      respondJson({ meta: { next: next(queryOf(asked.url).get('after')) }, items: [{ id: 1 }] })(response, asked),
    )
    expect(await crawlFailureOfSite({ url, ...cursorPaging })).toMatchObject({
      code,
      message: expect.stringContaining(message),
    })
  })
})

describe('page numbers', () => {
  const numbered = (pages: number, beyond: (page: number) => unknown[] | undefined = () => []) =>
    startSite((response, asked) => {
      const page = Number(queryOf(asked.url).get('p'))
      const rows = page < pages ? [{ id: page }] : beyond(page)
      if (rows === undefined) response.writeHead(404).end()
      else respondJson(rows)(response, asked)
    })

  it.each([
    ['a page without rows', () => []],
    ['a page that is not there', () => undefined],
  ])('go on to %s', async (_, beyond) => {
    const { url, requests } = await numbered(3, beyond)
    const paging = { type: 'page', parameter: 'p', first: 0, size_parameter: 'n', size: 50 }
    const { values, end } = await crawlSite({ url: `${url}/?p=7&q=1`, paging })
    expect([values, end]).toEqual([[{ id: 0 }, { id: 1 }, { id: 2 }], 'complete'])
    expect(paths(requests)).toEqual([0, 1, 2, 3].map((page) => `/?q=1&n=50&p=${page}`))
  })

  it('are no first page that is missing', async () => {
    const { url } = await numbered(0, () => undefined)
    expect(await crawlFailureOfSite({ url, paging: { type: 'page', parameter: 'p', first: 0 } })).toMatchObject({
      code: 'config',
    })
  })

  it('that the server does not know are noticed', async () => {
    const { url, requests } = await startSite(respondJson([{ id: 1 }]))
    expect(await crawlFailureOfSite({ url, paging: { type: 'page' } })).toEqual({
      code: 'config',
      message: 'Page 2 is identical to the page before: is the parameter `page` right?',
      retryable: false,
    })
    expect(requests).toHaveLength(2)
  })
})

it('ends at ten thousand pages', async () => {
  const { url, requests } = await startSite((response, one) =>
    respondJson({ items: [{ id: 1 }], meta: { next: `${requests.length}` } })(response, one),
  )
  const config = { url, ...cursorPaging }
  const begun = await startCrawl(config).next()
  const bookmark = JSON.parse(String(!begun.done && begun.value.cursor))
  bookmark.under_way.pages = 9_998
  expect(await crawlFailureOfSite(config, { cursor: JSON.stringify(bookmark) })).toEqual({
    code: 'config',
    message: 'There are more than 10000 pages',
    retryable: false,
  })
  expect(requests).toHaveLength(3)
})
