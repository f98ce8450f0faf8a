/** An address with one more parameter in its query. */
export function withParameter(uri: string, name: string, value: string): string {
  const url = new URL(uri)
  url.searchParams.set(name, value)
  return url.href
}
