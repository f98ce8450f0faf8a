/** Returns the URI with the query parameter set. */
export function addQueryParameter(uri: string, name: string, value: string): string {
  const url = new URL(uri)
  url.searchParams.set(name, value)
  return url.href
}
