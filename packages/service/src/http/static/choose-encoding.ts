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
