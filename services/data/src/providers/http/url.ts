/** Returns an address for error messages, without its query, which may hold secrets. */
export function redactUrl(address: string): string {
  const url = URL.parse(address)
  return (url === null ? address : `${url.origin}${url.pathname}`).slice(0, 200)
}

/** Sets a query parameter. The other parameters keep their exact text, which a signature may cover. */
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

/** Resolves a reference against a base address, without its fragment. Returns undefined if it is not a valid URL. */
export function resolveUrl(reference: string, base: string): string | undefined {
  const url = URL.parse(reference, base)
  if (url === null) return undefined
  url.hash = ''
  return url.href
}

/** Returns true if following a redirect or link would change from https to another scheme. */
export const isTlsDowngrade = (from: string, to: string): boolean =>
  from.startsWith('https:') && !to.startsWith('https:')

export const isSameOrigin = (one: string, other: string): boolean => new URL(one).origin === new URL(other).origin
