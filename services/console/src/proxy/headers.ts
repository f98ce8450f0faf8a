import type { IncomingHttpHeaders } from 'node:http'

/**
 * Request headers that belong to the API. No other header of the browser is passed on, least of all its credentials.
 */
const requestHeaders = [
  'content-type',
  'content-length',
  'accept',
  'x-workspace-key',
  'idempotency-key',
  'if-match',
  'if-none-match',
  'prefer',
  'last-event-id',
] as const

/** Response headers that belong to the API. Cookies and CORS headers never come back. */
const responseHeaders = [
  'content-type',
  'content-length',
  'cache-control',
  'vary',
  'etag',
  'last-modified',
  'location',
  'allow',
  'retry-after',
  'ratelimit',
  'ratelimit-policy',
  'idempotency-replayed',
  'preference-applied',
  'www-authenticate',
  'x-vercel-ai-ui-message-stream',
] as const

type Headers = Record<string, string>

/** Returns the headers of a request that are passed on. */
export const selectRequestHeaders = (headers: IncomingHttpHeaders): Headers => select(headers, requestHeaders)

/**
 * Returns the headers of a response that are passed back. The API shares the origin of the app, so a response is never
 * rendered: it is a download, its type is not guessed, and if a browser shows it all the same, it may load and run
 * nothing.
 */
export const selectResponseHeaders = (headers: IncomingHttpHeaders): Headers => ({
  ...select(headers, responseHeaders),
  'content-disposition': asAttachment(headers['content-disposition']),
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
})

/** Keeps the filename. */
const asAttachment = (disposition: string | undefined): string => {
  const [, parameters = ''] = /^[^;]*(;.*)$/s.exec(disposition ?? '') ?? []
  return `attachment${parameters}`
}

function select(headers: IncomingHttpHeaders, names: readonly string[]): Headers {
  const selected: Headers = {}
  for (const name of names) {
    const value = headers[name]
    if (typeof value === 'string') selected[name] = value
  }
  return selected
}
