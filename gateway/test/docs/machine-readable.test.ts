import { afterAll, describe, expect, it } from '@jest/globals'
import { errorCodes, errors, openApiDocument } from '@wp/contracts'
import { createSearch } from '../../docs-site/browser/search/search.ts'
import { readOperations } from '../../docs-site/src/reference/operation.ts'
import { createPostmanCollection } from '../../docs-site/src/reference/postman.ts'
import { startDocsServer } from './fixture/docs-server.ts'
import { readSite } from './fixture/site.ts'

const site = await readSite()
const server = await startDocsServer(site)
afterAll(() => server.stop())

const get = async (path: string) => {
  // A connection that was idle for long may be closed while the next request is sent.
  const response = await fetch(server.baseUrl + path, { headers: { connection: 'close' } })
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
}

describe('the documentation for programs', () => {
  it('has a Markdown form of every page, which llms.txt lists', async () => {
    const { status, type, text } = await get('/llms.txt')
    expect({ status, type }).toEqual({ status: 200, type: 'text/plain; charset=utf-8' })
    const listed = [...text.matchAll(/^- \[[^\]]+\]\(([^)]+)\): \S/gm)].map(([, path = '']) => path)
    expect(listed.toSorted()).toEqual(
      site.pages.map((path) => `${path === '/docs' ? '/docs/index' : path}.md`).toSorted(),
    )
    expect(listed.filter((path) => !site.files.has(path))).toEqual([])
  })

  it('keeps text, code with its language, tables and links in the Markdown form', async () => {
    const { type, text } = await get('/docs/webhooks/receiving.md')
    expect(type).toBe('text/markdown; charset=utf-8')
    expect(text).toMatch(/^# Receiving webhooks\n\nA webhook is a signed HTTPS request/)
    expect(text).toMatch(/^```python\nimport os\n/m)
    expect(text).toMatch(/^\| *2xx *\| *delivered *\|$/m)
    expect(text).toContain('[Event kinds](/docs/events)')
    expect(text).not.toMatch(/<(?:div|span|pre|button)\b|\bCopy\b/)
  })

  it('has a request for every operation in the Postman collection', async () => {
    const { type, text } = await get('/docs/postman.json')
    const document = openApiDocument('https://api.example.com', 'v1')
    const collection: ReturnType<typeof createPostmanCollection> = JSON.parse(text)
    expect(type).toMatch(/^application\/json\b/)
    expect(collection).toEqual(JSON.parse(JSON.stringify(createPostmanCollection(document, 'https://api.example.com'))))
    const requests = collection.item.flatMap(({ item }) => item.map(({ request }) => request))
    expect(requests.map(({ method, url }) => `${method} ${url.path.join('/')}`).sort()).toEqual(
      readOperations(document)
        .map(({ method, path }) => `${method} ${path.slice(1).replaceAll(/\{(\w+)\}/g, ':$1')}`)
        .sort(),
    )
    const withoutValue = requests.flatMap(({ url }) => url.variable.filter(({ value }) => value === ''))
    expect(withoutValue).toEqual([])
    for (const { header, body } of requests)
      if (header[0]?.value === 'application/json') expect(() => JSON.parse(body?.raw ?? '')).not.toThrow()
  })

  it('has the methods of the clients in the search index', async () => {
    const [path = ''] = [...site.files.keys()].filter((file) => /^\/docs\/assets\/search-[^/]*\.json$/.test(file))
    const { index }: { index: [term: string, entries: object][] } = JSON.parse((await get(path)).text)
    const terms = new Set(index.map(([term]) => term))
    for (const { id } of readOperations(openApiDocument('https://api.example.com', 'v1')))
      expect(terms).toContain(id.slice(id.indexOf('.') + 1).toLowerCase())
    for (const name of ['verifywebhook', 'waitfor', 'fileupload']) expect(terms).toContain(name)
  })

  it('finds statuses, error codes, methods and questions', async () => {
    const [path = ''] = [...site.files.keys()].filter((file) => /^\/docs\/assets\/search-[^/]*\.json$/.test(file))
    const search = await createSearch(server.baseUrl + path)
    const first = (query: string) =>
      search(query)
        .slice(0, 5)
        .map(({ address }) => address)
    for (const status of new Set(errorCodes.map((code) => `${errors[code].status}`)))
      expect([status, first(status)]).toEqual([status, expect.arrayContaining([`/docs/errors#status-${status}`])])
    for (const code of errorCodes) expect(first(code)).toContain(`/docs/errors/${code}`)
    expect(first('402')).toContain('/docs/errors#codes')
    expect(first('HTTP 402')).toContain('/docs/errors#codes')
    expect(first('client.data.createSource')).toContain('/docs/api/data/create-source')
    expect(first('status code 429')).toContain('/docs/errors#status-429')
    expect(first('how do I upload a csv')).not.toEqual([])
    expect(search('zzzzqqqq')).toEqual([])
  })
})
