/** Returns the address if a browser may open it: of the schemes `http` and `https` only. */
export function toSafeUrl(address: string): string | undefined {
  const url = URL.parse(address)
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : undefined
}
