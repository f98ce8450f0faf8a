import type { IncomingMessage, ServerResponse } from 'node:http'
import type { EndpointDefinition } from '@wp/contracts'
import type { UpstreamFailure } from './upstream-failure.ts'

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
