import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { type Problem, problem } from '@wp/contracts'

/** What pages of other origins may do (https://fetch.spec.whatwg.org/#http-cors-protocol). */
export interface Cors {
  /** Says on an answer, before it begins, whether the page that asks may read it. */
  setCorsHeaders(request: IncomingMessage, response: ServerResponse): void
  /** Whether a browser asks, for a page that may know, what it may send. Anything else with OPTIONS is a method like others. */
  isPreflight(request: IncomingMessage): boolean
  /**
   * Answers a preflight.
   * @param methods those of the path; undefined where there is nothing
   * @returns why it is refused instead
   */
  respondToPreflight(response: ServerResponse, methods: readonly string[] | undefined): Problem | undefined
}

/** What a page may send beside what needs no leave. */
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
].join(', ')

/** What a page may read beside what needs no leave. */
const exposedHeaders = [
  'x-request-id',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'location',
  'etag',
  'idempotency-replayed',
  'deprecation',
  'sunset',
].join(', ')

/** How long a browser may keep a preflight's answer; no browser keeps it longer. A page that is no longer listed cannot read answers at once. */
const maxAgeSeconds = '7200'

/**
 * For exactly the listed origins. Credentials of the browser's own (cookies) are for none of them: a page shows a token
 * or a key, and can then be no other page.
 * @param origins as browsers write them; none means that nothing is ever said
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
      if (methods === undefined) return problem('not_found', { detail: 'There is nothing at this path' })
      response.setHeader('access-control-allow-methods', methods.join(', '))
      response.setHeader('access-control-allow-headers', allowedHeaders)
      response.setHeader('access-control-max-age', maxAgeSeconds)
      response.writeHead(204).end()
      return undefined
    },
  }
}

/** Reads a comma-separated list of origins. @returns undefined when one is not an origin as browsers write it, or not safe */
export function parseOrigins(text: string): ReadonlySet<string> | undefined {
  const origins = text.split(',').flatMap((part) => part.trim() || [])
  return origins.every(isOrigin) ? new Set(origins) : undefined
}

const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Whoever is on the way of a plain-text page is that page. */
function isOrigin(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return (
    url?.origin === text &&
    !text.includes('*') &&
    (url.protocol === 'https:' || (url.protocol === 'http:' && loopback.has(url.hostname)))
  )
}
