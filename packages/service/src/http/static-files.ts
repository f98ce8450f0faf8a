/** The encodings in which files are stored, the smallest first. */
export const encodings = ['br', 'gzip'] as const
export type Encoding = (typeof encodings)[number]

/**
 * Returns the encoding for a client (RFC 9110 section 12.5.3): the smallest that it accepts and that is there;
 * undefined for none.
 *
 * @param accepted the `Accept-Encoding` header
 */
export function chooseEncoding(accepted: string | undefined, isThere: (name: Encoding) => boolean) {
  const qualities = qualitiesOf(accepted ?? '')
  return encodings.find((name) => isThere(name) && (qualities.get(name) ?? qualities.get('*') ?? 0) > 0)
}

function qualitiesOf(accepted: string): ReadonlyMap<string, number> {
  const entries = accepted
    .toLowerCase()
    .split(',')
    .map((part): [string, number] => {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
      const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
      return [name, quality === undefined ? 1 : Number(quality)]
    })
  return new Map(entries)
}

const contentTypes: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  ico: 'image/x-icon',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  md: 'text/markdown; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
  wasm: 'application/wasm',
  webmanifest: 'application/manifest+json',
  webp: 'image/webp',
  woff2: 'font/woff2',
}

/** Returns the content type of a file of a site by its name; undefined for a kind that sites have no use for. */
export const contentTypeOf = (name: string): string | undefined =>
  contentTypes[name.slice(name.lastIndexOf('.') + 1).toLowerCase()]
