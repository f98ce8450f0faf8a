import { createHash } from 'node:crypto'

/** A file of a build of the app, with its content in the encodings of HTTP that make it smaller. */
export interface WebFile {
  contentType: string
  content: Buffer
  gzip: Buffer | null
  brotli: Buffer | null
}

const contentTypes: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  ico: 'image/x-icon',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
  wasm: 'application/wasm',
  webmanifest: 'application/manifest+json',
  webp: 'image/webp',
  woff2: 'font/woff2',
}

/** Returns the content type of a file by its name; undefined for a kind that the app has no use for. */
export const contentTypeOf = (name: string): string | undefined =>
  contentTypes[name.slice(name.lastIndexOf('.') + 1).toLowerCase()]

/** Returns a strong entity tag of bytes. */
export const etagOfBytes = (bytes: Buffer): string =>
  `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`
