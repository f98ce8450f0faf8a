/**
 * Headers of a service's response that the edge drops: it sets them itself, or they disclose the software. Lower case.
 */
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

type Fields = readonly (readonly [name: string, value: string])[]

const baseHeaders: Fields = [
  ['x-content-type-options', 'nosniff'],
  ['content-security-policy', "default-src 'none'; frame-ancestors 'none'"],
]
const tlsHeaders: Fields = [...baseHeaders, ['strict-transport-security', 'max-age=31536000; includeSubDomains']]

/** Returns the security headers of every response. Pages replace some with stricter ones. @param base public address */
export const securityHeaders = (base: string): Fields => (base.startsWith('https:') ? tlsHeaders : baseHeaders)
