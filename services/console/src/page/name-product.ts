import { brotliCompressSync, gzipSync } from 'node:zlib'
import { escapeHtml } from '@wp/service'
import type { WebBuild, WebFile } from '../assets/web-build.ts'

/** The name that the pages of a build have. */
export const builtName = 'Workspace platform'

/** Returns a build whose pages have the name of the product in place of the one that they were built with. */
export function nameProduct(build: WebBuild, name: string): WebBuild {
  if (name === builtName) return build
  const { page, signInPage, portalPage } = build
  return {
    ...build,
    page: rename(page, name),
    signInPage: rename(signInPage, name),
    portalPage: rename(portalPage, name),
  }
}

function rename(page: WebFile, name: string): WebFile {
  const content = Buffer.from(page.content.toString().replaceAll(builtName, () => escapeHtml(name)))
  return { ...page, content, gzip: gzipSync(content), brotli: brotliCompressSync(content) }
}
