/**
 * Whether an address lies at or under another: of the same origin, below its path. Whatever a server could read as a
 * step up or as another separator (`..;`, `%2f`, `%5c`, and these encoded once more) lies nowhere.
 * @param base without query and fragment
 */
export function isSubUrl(address: string, base: string): boolean {
  const [url, root] = [URL.parse(address), URL.parse(base)]
  if (url === null || root === null || url.origin !== root.origin) return false
  if (url.username !== '' || url.password !== '') return false
  const path = root.pathname.replace(/\/+$/, '')
  if (url.pathname !== path && !url.pathname.startsWith(`${path}/`)) return false
  return !ambiguousPath.test(url.pathname.slice(path.length))
}

/** The parser has already taken `.`, `..` and their encodings away, and made `\` a `/`. */
const ambiguousPath = /%(?:25)*(?:2f|5c)|(?:^|\/)(?:\.|%(?:25)+2e){1,2}(?:;|%(?:25)*3b|\/|$)/i
