import { brotliCompressSync, gzipSync } from 'node:zlib'
import { escapeHtml, initialOf } from '@wp/service'
import type { WebBuild, WebFile } from '../assets/web-build.ts'

/** The name that the pages of a build have. */
export const builtName = 'Workspace platform'

/** Returns a build whose pages and icon have the name of the product in place of the one that they were built with. */
export function nameProduct(build: WebBuild, name: string): WebBuild {
  if (name === builtName) return build
  const { page, signInPage, portalPage, others } = build
  return {
    ...build,
    page: rename(page, name),
    signInPage: rename(signInPage, name),
    portalPage: rename(portalPage, name),
    others: new Map([...others].map(([path, file]) => [path, path === 'favicon.svg' ? rename(file, name) : file])),
  }
}

function rename(page: WebFile, name: string): WebFile {
  const renamed = page.content.toString().replaceAll(builtName, () => escapeHtml(name))
  // The letter of the icon.
  const content = Buffer.from(renamed.replace('>W</text>', () => `>${escapeHtml(initialOf(name))}</text>`))
  return { ...page, content, gzip: gzipSync(content), brotli: brotliCompressSync(content) }
}
