/** Node.js error codes for a peer that could not be reached: name resolution or connecting failed, nothing was sent. */
export const unreachableErrorCodes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
])

/** Node.js error codes for an established connection that broke; the peer may have acted on what was sent. */
export const resetErrorCodes: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED'])

/** All Node.js error codes that report a failure of the network or of the peer rather than of the caller. */
export const networkErrorCodes: ReadonlySet<string> = new Set([...unreachableErrorCodes, ...resetErrorCodes])

/** Returns the `code` of a system, TLS, PostgreSQL or HTTP client error; undefined if there is none. */
export function errorCode(error: unknown): string | undefined {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : undefined
}
