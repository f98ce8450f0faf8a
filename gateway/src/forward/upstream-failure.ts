import { type Problem, problem } from '@wp/contracts'
import { errorCode, resetErrorCodes, unreachableErrorCodes } from '@wp/runtime'

/** A request that failed between the edge and a service. */
export interface UpstreamFailure {
  /** Response to the client. */
  problem: Problem
  /** The service could not be reached or did not respond: a failure to the circuit breaker. */
  isUnreachable: boolean
  /** The connection broke before the first byte of a response: an idempotent request can be sent again. */
  isRetryable: boolean
}

/** Thrown when a service does not respond in time. */
export class UpstreamTimeout extends Error {
  readonly code = 'EDGE_UPSTREAM_TIMEOUT'
}

/** Thrown when a connection to a service is not established in time. */
export class ConnectTimeout extends Error {
  readonly code = 'ETIMEDOUT'
}

const timeoutCodes = new Set(['EDGE_UPSTREAM_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'])
const unreachableCodes = new Set([...unreachableErrorCodes, 'UND_ERR_CONNECT_TIMEOUT'])
const resetCodes = new Set([...resetErrorCodes, 'UND_ERR_SOCKET'])

/**
 * Classifies an error of undici, of http-proxy-middleware or of a socket.
 *
 * @param hasResponseBytes a byte of the response has arrived
 */
export function classifyError(error: Error, hasResponseBytes: boolean): UpstreamFailure {
  const code = errorCode(error) ?? ''
  if (timeoutCodes.has(code))
    return { problem: problem('gateway_timeout', { cause: error }), isUnreachable: true, isRetryable: false }
  if (unreachableCodes.has(code))
    return {
      problem: problem('service_unavailable', { cause: error, headers: { 'retry-after': '1' } }),
      isUnreachable: true,
      isRetryable: code === 'ECONNREFUSED',
    }
  const wasReset = resetCodes.has(code) && !hasResponseBytes
  return { problem: problem('bad_gateway', { cause: error }), isUnreachable: wasReset, isRetryable: wasReset }
}

/** Returns the failure of a body that arrives too slowly. The service is not at fault. */
export const slowBodyFailure = (): UpstreamFailure => ({
  problem: problem('request_timeout', { detail: 'The request body did not arrive in time' }),
  isUnreachable: false,
  isRetryable: false,
})
