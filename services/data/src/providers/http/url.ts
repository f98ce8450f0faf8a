/** An address as failures name it: its query may hold what is not for everyone. */
export function redactUrl(address: string): string {
  const url = URL.parse(address)
  return (url === null ? address : `${url.origin}${url.pathname}`).slice(0, 200)
}

/** The address with a query parameter set; the rest of its query stays as it is written, which may be signed. */
export function withQueryParameter(address: string, name: string, value: string): string {
  const url = new URL(address)
  const others = url.search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && parameterName(pair) !== name)
  url.search = [...others, `${encodeURIComponent(name)}=${encodeURIComponent(value)}`].join('&')
  return url.href
}

const parameterName = (pair: string): string | undefined => [...new URLSearchParams(pair).keys()][0]

/** Where an address leads on to, without its fragment; undefined where it is none. */
export function resolveUrl(reference: string, base: string): string | undefined {
  const url = URL.parse(reference, base)
  if (url === null) return undefined
  url.hash = ''
  return url.href
}

/** Whether going on leaves TLS behind. */
export const isTlsDowngrade = (from: string, to: string): boolean =>
  from.startsWith('https:') && !to.startsWith('https:')

export const isSameOrigin = (one: string, other: string): boolean => new URL(one).origin === new URL(other).origin
