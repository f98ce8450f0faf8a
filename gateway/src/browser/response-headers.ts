/** Of a service's answer: what only the edge says to browsers, and what nobody needs to know. In lower case. */
export const edgeOnlyHeaders: ReadonlySet<string> = new Set([
  'access-control-allow-origin',
  'access-control-allow-credentials',
  'access-control-allow-headers',
  'access-control-allow-methods',
  'access-control-allow-private-network',
  'access-control-expose-headers',
  'access-control-max-age',
  'timing-allow-origin',
  'strict-transport-security',
  'x-request-id',
  'server',
  'x-powered-by',
])

/** What every answer carries, be it of the edge or of a service; a page says more, in their place. */
const baseHeaders: readonly (readonly [string, string])[] = [
  ['x-content-type-options', 'nosniff'],
  ['content-security-policy', "default-src 'none'; frame-ancestors 'none'"],
]
const tlsHeaders: typeof baseHeaders = [
  ...baseHeaders,
  ['strict-transport-security', 'max-age=31536000; includeSubDomains'],
]

/** The headers that answers of an edge with this public address always carry. */
export const securityHeaders = (base: string): typeof baseHeaders =>
  base.startsWith('https:') ? tlsHeaders : baseHeaders
