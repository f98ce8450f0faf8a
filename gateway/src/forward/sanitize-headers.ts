import type { IncomingHttpHeaders } from 'node:http'

/** Headers that end at each hop (RFC 9110 section 7.6.1) and those that only a proxy may add. */
const removedHeaders = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
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

/** How the body is framed is decided by the parser, not by what `Connection` names. */
const framingHeaders = new Set(['transfer-encoding', 'content-length', 'host'])

export interface AllowedHeaders {
  /** Basic credentials of a client, on the token and revocation endpoints. */
  basic: boolean
  cookies: boolean
}

/**
 * Removes from a request what must not pass the edge: whatever the edge itself sets, in any spelling, credentials,
 * cookies, hop-by-hop headers and all that `Connection` names.
 */
export function sanitizeHeaders(headers: IncomingHttpHeaders, allow: AllowedHeaders): void {
  const nominated = headers.connection === undefined ? undefined : new Set(tokensOf(headers.connection))
  for (const name of Object.keys(headers)) {
    if (framingHeaders.has(name)) continue
    if (nominated?.has(name) || isReservedHeader(name) || isCredential(name, headers, allow)) delete headers[name]
  }
}

/** Whether a header, in its dash or underscore spelling, is one that only the edge may set. */
export function isReservedHeader(name: string): boolean {
  const spelled = name.toLowerCase().replaceAll('_', '-')
  return (
    removedHeaders.has(spelled) ||
    (spelled.startsWith('x-') && removedPrefixes.some((prefix) => spelled.startsWith(prefix)))
  )
}

function isCredential(name: string, headers: IncomingHttpHeaders, allow: AllowedHeaders): boolean {
  if (name === 'authorization') return !(allow.basic && /^basic /i.test(headers.authorization ?? ''))
  return name === 'cookie' && !allow.cookies
}

const tokensOf = (field: string): string[] => field.split(',').map((token) => token.trim().toLowerCase())
