import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openApiDocument } from '@wp/contracts'
import MiniSearch from 'minisearch'
import { build } from 'vite'
import { searchOptions } from '../browser/search/search-options.ts'
import { html } from './html.ts'
import { renderPage, type SiteAssets } from './layout/render-page.ts'
import { createHighlight } from './markdown/code-group.ts'
import { createLlmsText, markdownAddress, toMarkdown } from './markdown/page-markdown.ts'
import { createPostmanCollection } from './reference/postman.ts'
import { exampleBase } from './reference/samples.ts'
import type { SearchEntry, SitePage } from './site-page.ts'
import { createPages, type PlacedPage } from './site-pages.ts'

/**
 * Writes the site into a folder: pages as `pages/<path>.html` and `<path>.md`, files with a hash in their name in
 * `assets`, the list of pages for language models, the Postman collection, the OpenAPI document, and `site.json`: the
 * paths of the listed pages, and the base address that examples and the document have.
 */
export async function buildSite(folder: string): Promise<void> {
  const [highlight, bundle] = await Promise.all([createHighlight(), buildAssets(folder)])
  const document = openApiDocument(exampleBase, 'v1')
  const pages = createPages(document, highlight)
  const all = [...pages, { page: notFoundPage, navigation: pages[0]?.navigation ?? [] }]
  const assets = { ...bundle, searchIndex: writeSearchIndex(folder, pages) }
  all.forEach(({ page, navigation }, index) => {
    const text = renderPage(page, { assets, navigation, ...neighboursOf(pages, index) })
    writeText(join(folder, 'pages', `${page.path.slice('/docs'.length) || '/index'}.html`), text)
  })
  for (const { page } of pages)
    writeText(join(folder, markdownAddress(page.path).slice('/docs/'.length)), toMarkdown(page))
  writeText(join(folder, 'llms.txt'), createLlmsText(pages.map(({ page }) => page)))
  writeText(join(folder, 'postman.json'), JSON.stringify(createPostmanCollection(document, exampleBase)))
  writeText(join(folder, 'openapi.json'), JSON.stringify(document))
  writeText(join(folder, 'site.json'), JSON.stringify({ pages: pages.map(({ page }) => page.path), exampleBase }))
}

/** Bundles scripts, styles and fonts. */
async function buildAssets(folder: string): Promise<Omit<SiteAssets, 'searchIndex'>> {
  const root = join(import.meta.dirname, '../browser')
  const entries = ['site.ts', 'theme-choice.ts', 'styles.css']
  await build({
    root,
    base: '/docs/',
    logLevel: 'warn',
    configFile: false,
    build: {
      outDir: folder,
      emptyOutDir: true,
      manifest: 'manifest.json',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      target: 'es2023',
      rollupOptions: { input: entries.map((name) => join(root, name)) },
    },
  })
  const file = join(folder, 'manifest.json')
  const manifest: Record<string, { file: string }> = JSON.parse(readFileSync(file, 'utf8'))
  rmSync(file)
  const addressOf = (pattern: RegExp): string => {
    const [, entry] = Object.entries(manifest).find(([name]) => pattern.test(name)) ?? []
    if (entry === undefined) throw new Error(`the bundle has no ${pattern.source}`)
    return `/docs/${entry.file}`
  }
  return {
    style: addressOf(/^styles\.css$/),
    themeScript: addressOf(/^theme-choice\.ts$/),
    script: addressOf(/^site\.ts$/),
    font: addressOf(/inter-latin-wght-normal\.woff2$/),
  }
}

function writeSearchIndex(folder: string, pages: readonly PlacedPage[]): string {
  const index = createSearchIndex(pages.flatMap(({ page }) => page.entries))
  const name = `assets/search-${createHash('sha256').update(index).digest('hex').slice(0, 8)}.json`
  writeText(join(folder, name), index)
  return `/docs/${name}`
}

/** The guides are read one after another; pages of the reference are not. */
function neighboursOf(pages: readonly PlacedPage[], index: number) {
  const linkOf = (page: PlacedPage['page'] | undefined) =>
    page !== undefined && page.section !== 'Reference' && page.headings !== undefined
      ? { path: page.path, label: page.title }
      : undefined
  const current = linkOf(pages[index]?.page)
  if (current === undefined) return { previous: undefined, next: undefined }
  return { previous: linkOf(pages[index - 1]?.page), next: linkOf(pages[index + 1]?.page) }
}

function writeText(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/** Served with the status 404 for every path below `/docs` that has no page. */
const notFoundPage: SitePage = {
  path: '/docs/404',
  title: 'Page not found',
  description: 'The documentation has no page at this address.',
  section: '404',
  body: html`<p class="lead">The documentation has no page at this address.</p><ul class="links"><li><a href="/docs">Start of the documentation</a></li><li><a href="/docs/api">API reference</a></li><li><a href="/docs/errors">Error codes</a></li></ul>`,
  entries: [],
  isListed: false,
}

/** Returns the index of the search, as JSON. */
function createSearchIndex(entries: readonly SearchEntry[]): string {
  const index = new MiniSearch<SearchEntry>(searchOptions)
  index.addAll(entries)
  return JSON.stringify(index)
}
