import type { IncomingMessage, ServerResponse } from 'node:http'
import { type EndpointDefinition, type Problem, problem } from '@wp/contracts'
import { errorCode, resetErrorCodes, unreachableErrorCodes } from '@wp/runtime'

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
 * One attempt to send a request to a service. It ends with one call of `onResponse`, `onFailure` or `onClientClosed`.
 */
export interface Attempt {
  /** Address of the service. */
  target: string
  /** Milliseconds of silence of the service after which the attempt fails. */
  idleMs: number
  /** Opens a new connection, because a pooled one may have been closed by the service. */
  usesNewConnection: boolean
  /** The head of the response has arrived. A later failure can only abort the response. */
  onResponse(): void
  /** Nothing was sent to the client. */
  onFailure(failure: UpstreamFailure): void
  /** The client closed the connection before the response. */
  onClientClosed(): void
}

/** Sends a sanitized and signed request to a service, and the response back to the client. Never parses bodies. */
export interface Transport {
  send(request: IncomingMessage, response: ServerResponse, attempt: Attempt): void
  /** Closes all connections to services. */
  close(): Promise<void>
}

export type TransportName = 'buffered' | 'streaming'

/**
 * Chooses the transport of an endpoint: `streaming` (http-proxy-middleware) if a request or response can take long,
 * else `buffered` (undici), which costs a third of the processor time.
 */
export function transportFor({ limitClass, input, response }: EndpointDefinition): TransportName {
  const streamsRequest = input === 'stream' || limitClass === 'upload'
  const streamsResponse =
    response === 'events' ||
    response === 'json-or-events' ||
    response === 'http' ||
    response === 'file' ||
    limitClass === 'long'
  return streamsRequest || streamsResponse ? 'streaming' : 'buffered'
}

/** Returns true if the head of a request is followed by a body. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** A request that failed between the edge and a service. */
export interface UpstreamFailure {
  /** Response to the client. */
  problem: Problem
  /** The service could not be reached or did not respond: a failure to the circuit breaker. */
  isUnreachable: boolean
  /** The connection broke before the first byte of a response: an idempotent request can be sent again. */
  isRetryable: boolean
}

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
