import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { contentTypeOf } from '@wp/service'

/** A build of the app, in memory. */
export interface WebBuild {
  /** The page that runs the app. */
  page: WebFile
  /** The page of a browser without a session, which loads less. */
  signInPage: WebFile
  /** The page of portal links. */
  portalPage: WebFile
  /** The files whose names contain a hash of their content, by name. */
  assets: ReadonlyMap<string, WebFile>
  /** The other files, such as the icon, by name. */
  others: ReadonlyMap<string, WebFile>
}

const pageName = 'index.html'
const signInPageName = 'sign-in.html'
const portalPageName = 'portal.html'

/**
 * Reads the build in a folder, as infra/toolchain/build-console.ts wrote it: `name.br` and `name.gz` are encodings of
 * `name`.
 *
 * @returns undefined if there is none
 */
export async function readWebBuild(folder: string): Promise<WebBuild | undefined> {
  const others = await readFiles(folder)
  const page = others.get(pageName)
  const signInPage = others.get(signInPageName)
  const portalPage = others.get(portalPageName)
  if (page === undefined || signInPage === undefined || portalPage === undefined) return undefined
  for (const name of [pageName, signInPageName, portalPageName]) others.delete(name)
  return { page, signInPage, portalPage, assets: await readFiles(join(folder, 'assets')), others }
}

async function readFiles(folder: string): Promise<Map<string, WebFile>> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(rejectUnlessMissing)
  const names = new Set(entries.filter((entry) => entry.isFile()).map(({ name }) => name))
  const files = [...names].map(async (name): Promise<[string, WebFile][]> => {
    const contentType = contentTypeOf(name)
    if (contentType === undefined) return []
    const read = (variant: string) => (names.has(variant) ? readFile(join(folder, variant)) : null)
    const [content, gzip, brotli] = await Promise.all([
      readFile(join(folder, name)),
      read(`${name}.gz`),
      read(`${name}.br`),
    ])
    return [[name, { contentType, content, gzip, brotli }]]
  })
  return new Map((await Promise.all(files)).flat())
}

function rejectUnlessMissing(error: NodeJS.ErrnoException): never[] {
  if (error.code === 'ENOENT') return []
  throw error
}

/** A file of a build of the app, with its content in the encodings of HTTP that make it smaller. */
export interface WebFile {
  contentType: string
  content: Buffer
  gzip: Buffer | null
  brotli: Buffer | null
}

/** Returns a strong entity tag of bytes. */
export const etagOfBytes = (bytes: Buffer): string =>
  `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`
