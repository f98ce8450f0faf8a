import type { IncomingHttpHeaders } from 'node:http'
import { hopByHopHeaders } from '@wp/contracts'

/** Removed from every request: hop-by-hop headers, and headers that only the edge or another proxy may set. */
const removedHeaders: ReadonlySet<string> = new Set([
  ...hopByHopHeaders,
  'http2-settings',
  'expect',
  'forwarded',
  'via',
  'x-real-ip',
  'x-api-key',
  'traceparent',
  'x-request-id',
])
const removedPrefixes = ['x-workspace-', 'x-principal-', 'x-scope', 'x-internal-', 'x-forwarded-', 'x-original-']

/** Kept whatever `Connection` names: the parser has determined the framing of the body. */
const framingHeaders = new Set(['transfer-encoding', 'content-length', 'host'])

interface AllowedHeaders {
  /** Basic credentials of an OAuth client, on the token and revocation endpoints. */
  basic?: boolean
  /** Returns true for the name of a cookie that may pass. Default: none. */
  cookies?: (name: string) => boolean
  /** The header that selects a workspace, for a site that calls the API itself. */
  workspaceKey?: boolean
}

/**
 * Removes the headers of a request that must not pass the edge: those the edge sets itself, in any spelling,
 * credentials, cookies, hop-by-hop headers and all that `Connection` names.
 */
export function sanitizeHeaders(headers: IncomingHttpHeaders, allowed: AllowedHeaders): void {
  const connectionTokens = headers.connection === undefined ? undefined : parseTokens(headers.connection)
  for (const name of Object.keys(headers)) {
    if (framingHeaders.has(name)) continue
    if (name === 'x-workspace-key' && allowed.workspaceKey === true && !connectionTokens?.has(name)) continue
    if (connectionTokens?.has(name) || isReservedHeader(name) || isCredential(name, headers, allowed))
      delete headers[name]
  }
  keepCookies(headers, allowed.cookies ?? (() => false))
}

/**
 * Returns true for a header only the edge may set. Dashes and underscores are equal: some servers map one to the other.
 */
function isReservedHeader(name: string): boolean {
  const normalized = name.toLowerCase().replaceAll('_', '-')
  return (
    removedHeaders.has(normalized) ||
    (normalized.startsWith('x-') && removedPrefixes.some((prefix) => normalized.startsWith(prefix)))
  )
}

function isCredential(name: string, headers: IncomingHttpHeaders, allowed: AllowedHeaders): boolean {
  return name === 'authorization' && !(allowed.basic === true && /^basic /i.test(headers.authorization ?? ''))
}

const parseTokens = (field: string): Set<string> => new Set(field.split(',').map((token) => token.trim().toLowerCase()))

/** Removes the cookies of a request whose names are not allowed (RFC 6265 section 4.2.1). */
function keepCookies(headers: IncomingHttpHeaders, isAllowed: (name: string) => boolean): void {
  if (headers.cookie === undefined) return
  const kept = headers.cookie
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => isAllowed(nameOf(pair)))
  if (kept.length === 0) delete headers.cookie
  else headers.cookie = kept.join('; ')
}

/** Returns the name before the first `=`, which some servers read without the spaces around it. */
const nameOf = (pair: string): string => pair.split('=', 1)[0]?.trim() ?? ''
