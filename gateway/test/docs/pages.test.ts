import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from '@jest/globals'
import { errorCodes, jobErrorCodes, openApiDocument, webhookEventKinds } from '@wp/contracts'
import { readOperations } from '../../docs-site/src/reference/operation.ts'
import { readSite } from './fixture/site.ts'

/** Compressed size of a page without images, fonts and the search index. */
const maxPageBytes = 60 * 1024

const site = await readSite()
/** The text of each page, by path. */
const pages = new Map(site.pages.map((path) => [path, readFileSync(site.files.get(path)?.file ?? '', 'utf8')]))

const idsOf = (text: string) => new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
const linksOf = (text: string) => [...text.matchAll(/ (?:href|src)="([^"]+)"/g)].map(([, link = '']) => link)

describe('the documentation site', () => {
  it('has a page for every error code, job error code, event kind and operation', () => {
    const expected = [
      ...[...errorCodes, ...jobErrorCodes].map((code) => `/docs/errors/${code}`),
      ...webhookEventKinds.map((kind) => `/docs/events/${kind}`),
    ]
    expect(expected.filter((path) => !pages.has(path))).toEqual([])
    const reference = [...pages].filter(([path]) => path.startsWith('/docs/api/')).map(([, text]) => text)
    const shown = new Set(reference.flatMap((text) => /<dt>Operation<\/dt><dd><code>([^<]+)/.exec(text)?.[1] ?? []))
    const operations = readOperations(openApiDocument('https://api.example.com', 'v1')).map(({ id }) => id)
    expect([...shown].sort()).toEqual(operations.sort())
  })

  it('says for every error what happened and what to do, with an example of its own', () => {
    const sectionOf = (text: string, id: string) =>
      new RegExp(`<h2 id="${id}">[^<]+</h2>([\\s\\S]*?)(?=<h2 |<p><a href="/docs/errors">)`).exec(text)?.[1] ?? ''
    const plainText = (markup: string) => markup.replaceAll(/<[^>]+>/g, '').trim()
    const codes = [...errorCodes, ...jobErrorCodes]
    const sections = codes.map((code) => {
      const text = pages.get(`/docs/errors/${code}`) ?? ''
      const [happened = '', help = '', example = ''] = ['what-happened', 'what-to-do', 'example'].map((id) =>
        plainText(sectionOf(text, id)),
      )
      return { code, happened, help, example }
    })
    const incomplete = sections.filter(
      ({ code, happened, help, example }) =>
        happened.length < 40 || help.length < 8 || !example.includes(`&quot;code&quot;: &quot;${code}&quot;`),
    )
    expect(incomplete).toEqual([])
    expect(new Set(sections.map(({ happened }) => happened)).size).toBe(codes.length)
  })

  it('has no link that leads nowhere', () => {
    const broken = [...pages].flatMap(([path, text]) =>
      linksOf(text)
        .filter((link) => !isExternal(link))
        .filter((link) => !leadsSomewhere(path, link))
        .map((link) => `${path}: ${link}`),
    )
    expect(broken).toEqual([])
  })

  it('has no inline script or style, which the content security policy would refuse', () => {
    const inline = [...pages].filter(([, text]) => /<script(?![^>]* src=)| style="|<style| on[a-z]+="/.test(text))
    expect(inline.map(([path]) => path)).toEqual([])
  })

  it('has different titles and ids that are unique in a page', () => {
    const titles = [...pages].map(([path, text]) => `${/<title>(.*?)<\/title>/.exec(text)?.[1]} ${path.split('/')[2]}`)
    expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([])
    const repeated = [...pages].filter(([, text]) => [...text.matchAll(/ id="([^"]+)"/g)].length !== idsOf(text).size)
    expect(repeated.map(([path]) => path)).toEqual([])
  })

  it('has pages of at most 60 KiB with their scripts and styles, compressed', () => {
    const sizes = [...pages].map(([path, text]) => {
      const assets = linksOf(text.slice(0, text.indexOf('<body')))
        .filter((link) => /\.(?:js|css)$/.test(link))
        .map((link) => readFileSync(site.files.get(link)?.file ?? ''))
      const bytes = [Buffer.from(text), ...assets].map((content) => gzipSync(content).length)
      return { path, bytes: bytes.reduce((sum, size) => sum + size, 0) }
    })
    expect(sizes.filter(({ bytes }) => bytes > maxPageBytes)).toEqual([])
  })
})

/** Other sites, and paths that other parts of the platform serve. */
const isExternal = (link: string) =>
  /^https?:/.test(link) || ['/console/', '/openapi.json', '/.well-known/jwks.json'].includes(link)

function leadsSomewhere(path: string, link: string): boolean {
  const [target = '', fragment] = link.split('#')
  const page = target === '' ? path : target
  if (!site.files.has(page)) return false
  return fragment === undefined || idsOf(pages.get(page) ?? '').has(fragment)
}
