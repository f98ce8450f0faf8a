/**
 * Returns true if a URL has the same origin as another and a path at or below its path. Rejects paths that a server
 * might read as a parent directory or a separator (`..;`, `%2f`, `%5c`, and these encoded more than once), and user
 * info.
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

/** The URL parser has already resolved `.`, `..` and their encodings, and replaced `\` by `/`. */
const ambiguousPath = /%(?:25)*(?:2f|5c)|(?:^|\/)(?:\.|%(?:25)+2e){1,2}(?:;|%(?:25)*3b|\/|$)/i
