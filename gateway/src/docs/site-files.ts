import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { contentTypeOf, type Encoding } from '@wp/service'

/** A file of the site. Its content stays on disk: the whole site would cost each edge ten megabytes of memory. */
export interface SiteFile {
  file: string
  contentType: string
  /** Entity tag without quotes; that of an encoding has its name after it. */
  tag: string
  encodings: ReadonlySet<Encoding>
  kind: 'page' | 'asset' | 'other'
}

/** The built site. */
export interface SiteFiles {
  /** By path, such as `/docs/quickstart`. */
  files: ReadonlyMap<string, SiteFile>
  notFound: SiteFile
  /** Paths of the pages, in reading order. */
  pages: readonly string[]
  /** Returns the OpenAPI document, as JSON, of an API with a base address. */
  openApiDocument(base: string): string
  /** Returns the text of a Markdown file, with the samples of an API with a base address. */
  readMarkdown(file: SiteFile, base: string): Promise<string>
}

interface ListedFile {
  name: string
  tag: string
  br: boolean
  gzip: boolean
}

/**
 * Reads the list of the files in a folder, as infra/toolchain/build-docs.ts wrote it. @returns undefined if there is
 * none
 */
export async function readSiteFiles(folder: string): Promise<SiteFiles | undefined> {
  const list = await readFile(join(folder, 'files.json'), 'utf8').catch(returnUnlessMissing)
  if (list === undefined) return undefined
  const site: { pages: string[]; exampleBase: string } = JSON.parse(await readFile(join(folder, 'site.json'), 'utf8'))
  const document = await readFile(join(folder, 'openapi.json'), 'utf8')
  const listed: ListedFile[] = JSON.parse(list)
  const files = new Map(listed.flatMap((file) => entryOf(folder, file)))
  const notFound = files.get('/docs/404')
  if (notFound === undefined) throw new Error('the documentation was built without a page for unknown addresses')
  files.delete('/docs/404')
  return {
    files,
    notFound,
    pages: site.pages,
    openApiDocument: (base) => document.replaceAll(site.exampleBase, base),
    readMarkdown: async ({ file }, base) => (await readFile(file, 'utf8')).replaceAll(site.exampleBase, base),
  }
}

function entryOf(folder: string, { name, tag, br, gzip }: ListedFile): [string, SiteFile][] {
  const contentType = contentTypeOf(name)
  if (contentType === undefined || name === 'site.json' || name === 'openapi.json') return []
  const encodings = new Set<Encoding>([...(br ? ['br' as const] : []), ...(gzip ? ['gzip' as const] : [])])
  const page = /^pages\/(.+)\.html$/.exec(name)?.[1]
  const kind = page !== undefined ? 'page' : name.startsWith('assets/') ? 'asset' : 'other'
  const path = page === 'index' ? '/docs' : `/docs/${page ?? name}`
  return [[path, { file: join(folder, name), contentType, tag, encodings, kind }]]
}

function returnUnlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
