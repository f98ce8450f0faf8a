import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { type EndpointDefinition, type Problem, problem, surfaceOf } from '@wp/contracts'

/** Cross-origin resource sharing (https://fetch.spec.whatwg.org/#http-cors-protocol). */
interface Cors {
  /** Sets the headers that let the page of a listed origin read the response. Call it before the head is sent. */
  setCorsHeaders(request: IncomingMessage, response: ServerResponse): void
  /** Returns true for a preflight from a listed origin. Any other OPTIONS request is an ordinary method. */
  isPreflight(request: IncomingMessage): boolean
  /**
   * Responds to a preflight.
   *
   * @param methods methods of the path; undefined if it is unknown
   * @returns the error to respond with instead, if the path is unknown
   */
  respondToPreflight(response: ServerResponse, methods: readonly string[] | undefined): Problem | undefined
}

/** Request headers a page may send in addition to the safelisted ones. */
const allowedHeaders = [
  'authorization',
  'content-type',
  'x-api-key',
  'x-workspace-key',
  'idempotency-key',
  'if-match',
  'if-none-match',
  'x-request-id',
  'traceparent',
  'prefer',
  'last-event-id',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
].join(', ')

/** Response headers a page may read in addition to the safelisted ones. */
const exposedHeaders = [
  'x-request-id',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'location',
  'content-disposition',
  'etag',
  'idempotency-replayed',
  'deprecation',
  'sunset',
  'www-authenticate',
].join(', ')

/**
 * The longest time a browser caches a preflight. A page whose origin is no longer listed cannot read responses at once.
 */
const maxAgeSeconds = '7200'

/**
 * Creates CORS for exactly the listed origins. Credentials of the browser (cookies) are never allowed: a page sends a
 * token or a key, so no page can act with the credentials of another.
 *
 * @param origins as browsers serialize them; if empty, no CORS header is ever sent
 */
export function createCors(origins: ReadonlySet<string>): Cors {
  const isListed = ({ origin }: IncomingHttpHeaders) => origin !== undefined && origins.has(origin)
  return {
    setCorsHeaders({ headers }, response) {
      if (origins.size === 0) return
      response.setHeader('vary', 'Origin')
      if (!isListed(headers)) return
      response.setHeader('access-control-allow-origin', headers.origin ?? '')
      response.setHeader('access-control-expose-headers', exposedHeaders)
    },
    isPreflight: ({ method, headers }) =>
      method === 'OPTIONS' && headers['access-control-request-method'] !== undefined && isListed(headers),
    respondToPreflight(response, methods) {
      if (methods === undefined) return problem('not_found', { detail: 'No endpoint has this path' })
      response.setHeader('access-control-allow-methods', methods.join(', '))
      response.setHeader('access-control-allow-headers', allowedHeaders)
      response.setHeader('access-control-max-age', maxAgeSeconds)
      response.writeHead(204).end()
      return undefined
    },
  }
}

/** Parses a comma-separated list of origins. Returns undefined if one is not a serialized origin, or not secure. */
export function parseOrigins(text: string): ReadonlySet<string> | undefined {
  const origins = text.split(',').flatMap((part) => part.trim() || [])
  return origins.every(isOrigin) ? new Set(origins) : undefined
}

const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Accepts plain HTTP on loopback only: elsewhere, anyone on the network path could act as the page. */
function isOrigin(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return (
    url?.origin === text &&
    !text.includes('*') &&
    (url.protocol === 'https:' || (url.protocol === 'http:' && loopbackHosts.has(url.hostname)))
  )
}

/**
 * Creates the check of the `Origin` header that MCP asks of servers, against DNS rebinding: a page of another origin
 * must not reach the endpoint, whatever the page sends. Clients that are no pages send no `Origin`.
 *
 * @param listed origins whose pages may call the API
 * @param base public base address, whose own pages may call it too
 */
export function createOriginCheck(
  listed: ReadonlySet<string>,
  base: string,
): (definition: EndpointDefinition, headers: IncomingHttpHeaders) => void {
  const ownOrigin = new URL(base).origin
  return (definition, { origin }) => {
    if (surfaceOf(definition) !== 'mcp' || definition.credentials === 'none' || origin === undefined) return
    if (origin !== ownOrigin && !listed.has(origin))
      throw problem('origin_forbidden', { detail: 'Pages of this origin may not use MCP' })
  }
}
