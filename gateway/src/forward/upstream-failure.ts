import { type Problem, problem } from '@wp/contracts'

/** Why a request got nowhere. */
export interface UpstreamFailure {
  problem: Problem
  /** The service could not be reached or was silent: what a circuit counts. */
  isUnreachable: boolean
  /** The connection broke before a byte of an answer: asking again does no harm where asking twice does none. */
  isRetryable: boolean
}

/** A service took too long. */
export class UpstreamTimeout extends Error {
  readonly code = 'EDGE_UPSTREAM_TIMEOUT'
}

/** A service did not take the connection in time. */
export class ConnectTimeout extends Error {
  readonly code = 'ETIMEDOUT'
}

const unreachableCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
])
const timeoutCodes = new Set(['EDGE_UPSTREAM_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'])
const brokenConnectionCodes = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'UND_ERR_SOCKET'])

/**
 * Reads the errors of both carriers, and of Node's sockets under them.
 * @param hasBegun whether a byte of an answer came
 */
export function classifyError(error: Error, hasBegun: boolean): UpstreamFailure {
  const code = 'code' in error ? String(error.code) : ''
  if (timeoutCodes.has(code))
    return { problem: problem('gateway_timeout', { cause: error }), isUnreachable: true, isRetryable: false }
  if (unreachableCodes.has(code))
    return {
      problem: problem('service_unavailable', { cause: error, headers: { 'retry-after': '1' } }),
      isUnreachable: true,
      isRetryable: code === 'ECONNREFUSED',
    }
  const isBroken = brokenConnectionCodes.has(code) && !hasBegun
  return { problem: problem('bad_gateway', { cause: error }), isUnreachable: isBroken, isRetryable: isBroken }
}

/** The client's own doing: nothing is learned of the service. */
export const slowBodyFailure = (): UpstreamFailure => ({
  problem: problem('request_timeout', { detail: 'The body did not arrive in time' }),
  isUnreachable: false,
  isRetryable: false,
})
