import type { IncomingMessage, ServerResponse } from 'node:http'

/** Facts about a request of a site, from the edge. */
export interface SiteRequestContext {
  requestId: string
  traceparent: string
  /** Address of the client, if the edge knows it. */
  clientAddress: string | undefined
  /** Aborted when the server stops listening: responses that do not end by themselves should end now. */
  shutdown: AbortSignal
}

/**
 * Serves the requests of a service that belong to no endpoint, such as pages and their assets. Only requests that the
 * edge signed reach it. An error it throws becomes a problem response, or cuts a response that has begun.
 */
export type SiteHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  context: SiteRequestContext,
) => void | Promise<void>
