import type { IncomingMessage, ServerResponse } from 'node:http'
import type { EndpointDefinition } from '@wp/contracts'
import type { Failure } from './failure.ts'

/** One try to carry a request to a service. It ends in one call of `answered`, `failed` or `left`. */
export interface Attempt {
  /** Address of the service. */
  target: string
  /** Milliseconds without a sign of life from the service after which it has failed. */
  idleMs: number
  /** Whether a connection that was kept may have been closed at the other end: then one of its own is opened. */
  isFresh: boolean
  /** The head of an answer is here. What fails from now on can only cut it. */
  answered(): void
  /** Nothing of an answer was given to the client. */
  failed(failure: Failure): void
  /** The client went before there was an answer. */
  left(): void
}

/** Brings a request, cleaned and signed, to a service, and its answer back. Bodies are never parsed. */
export interface Carrier {
  carry(request: IncomingMessage, response: ServerResponse, attempt: Attempt): void
  /** Ends all connections. */
  close(): Promise<void>
}

export type CarrierName = 'ordinary' | 'streams'

/** Everything under it speaks MCP, whose answers may be streams whatever was asked for. */
const mcp = '/api/v1/mcp/'

/**
 * Who carries a request: what may be long, in either direction, goes by http-proxy-middleware, all else by undici, which
 * costs a third of it.
 * @param accept the `Accept` header
 */
export function carrierOf(definition: EndpointDefinition, accept: string | undefined): CarrierName {
  const { limitClass, input, path } = definition
  const isLong = input === 'stream' || limitClass === 'upload' || limitClass === 'long' || path.startsWith(mcp)
  return isLong || (accept !== undefined && asksForEvents(accept)) ? 'streams' : 'ordinary'
}

const asksForEvents = (accept: string): boolean => /(?:^|,)\s*text\/event-stream\s*(?:[;,]|$)/i.test(accept)

/** Whether a body follows the head of a request. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
