import type { IncomingMessage, ServerResponse } from 'node:http'
import type { EndpointDefinition } from '@wp/contracts'
import type { UpstreamFailure } from './upstream-failure.ts'

/** One try to carry a request to a service. It ends in one call of `answered`, `failed` or `left`. */
export interface Attempt {
  /** Address of the service. */
  target: string
  /** Milliseconds without a sign of life from the service after which it has failed. */
  idleMs: number
  /** Whether a connection that was kept may have been closed at the other end: then one of its own is opened. */
  usesNewConnection: boolean
  /** The head of an answer is here. What fails from now on can only cut it. */
  onResponse(): void
  /** Nothing of an answer was given to the client. */
  onFailure(failure: UpstreamFailure): void
  /** The client went before there was an answer. */
  onClientClosed(): void
}

/** Brings a request, cleaned and signed, to a service, and its answer back. Bodies are never parsed. */
export interface Transport {
  send(request: IncomingMessage, response: ServerResponse, attempt: Attempt): void
  /** Ends all connections. */
  close(): Promise<void>
}

export type TransportName = 'buffered' | 'streaming'

/** Everything under it speaks MCP, whose answers may be streams whatever was asked for. */
const mcpPath = '/api/v1/mcp/'

/**
 * Who carries a request: what may be long, in either direction, goes by http-proxy-middleware, all else by undici, which
 * costs a third of it.
 * @param accept the `Accept` header
 */
export function transportFor(definition: EndpointDefinition, accept: string | undefined): TransportName {
  const { limitClass, input, path } = definition
  const isLong = input === 'stream' || limitClass === 'upload' || limitClass === 'long' || path.startsWith(mcpPath)
  return isLong || (accept !== undefined && acceptsEventStream(accept)) ? 'streaming' : 'buffered'
}

const acceptsEventStream = (accept: string): boolean => /(?:^|,)\s*text\/event-stream\s*(?:[;,]|$)/i.test(accept)

/** Whether a body follows the head of a request. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
