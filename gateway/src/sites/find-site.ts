import { problem, type SiteDefinition, sites } from '@wp/contracts'

/** The site of a request, and the part of it that the path names. */
export interface MatchedSite {
  site: SiteDefinition
  /** The path is in the site's own API. */
  isApi: boolean
}

/** Returns the site of a path; undefined if it belongs to none. */
export function findSite(path: string): MatchedSite | undefined {
  const site = sites.find((candidate) => isBelow(path, candidate.path))
  return site && { site, isApi: site.apiPath !== undefined && isBelow(path, site.apiPath) }
}

const isBelow = (path: string, base: string): boolean => path === base || path.startsWith(`${base}/`)

const pageMethods = ['GET', 'HEAD']
const apiMethods = [...pageMethods, 'POST', 'PUT', 'PATCH', 'DELETE']

/**
 * Checks that a site may be asked for this.
 *
 * @throws Problem 404 for a path that a parser downstream could read as another one; 405 with `Allow`
 */
export function checkSiteRequest({ site, isApi }: MatchedSite, method: string, path: string): void {
  const segments = path.slice(site.path.length).split('/').slice(1)
  const isFolder = segments.at(-1) === ''
  if (!(isFolder ? segments.slice(0, -1) : segments).every(isPlainSegment))
    throw problem('not_found', { detail: 'No page has this path' })
  const allowed = isApi ? apiMethods : pageMethods
  if (!allowed.includes(method)) throw problem('method_not_allowed', { headers: { allow: allowed.join(', ') } })
}

/**
 * Accepts a segment that means the same however often it is decoded, and whether or not parameters after `;` are part
 * of it: it is no parent directory and contains no separator.
 */
function isPlainSegment(segment: string): boolean {
  if (!/^[A-Za-z0-9._~%:@!$&'()*+,;=-]+$/.test(segment)) return false
  const decoded = decode(decode(segment) ?? '/')
  return decoded !== undefined && !/^\.{1,2}(?:;|$)/.test(decoded) && !/[/\\\0]/.test(decoded)
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
