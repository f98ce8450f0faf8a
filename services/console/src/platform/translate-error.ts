import type { IncomingHttpHeaders } from 'node:http'
import { ApiError } from '@wp/client'
import { errorCodes, type Problem, problem } from '@wp/contracts'
import { errorCode } from '@wp/runtime'
import type { ClientAddressHeaders, SiteRequestContext } from '@wp/service'

/** Seconds after which a request that found the platform unavailable may be repeated. */
const retryAfterSeconds = '1'

/**
 * Returns the error of a failed call as the console reports it: an error of the catalogue stays what it is; anything
 * else means that the platform is unavailable. Errors of the console itself are returned unchanged.
 */
export function translateError(error: unknown): unknown {
  if (error instanceof ApiError) return problemOf(error)
  return isNetworkError(error) ? unavailable(error) : error
}

/** Returns true if a call failed although nothing was wrong with the request: it may succeed later. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof ApiError
    ? error.status >= 500 || error.status === 429 || error.code === 'unknown'
    : isNetworkError(error)

function problemOf(error: ApiError): Problem {
  const code = errorCodes.find((known) => known === error.code)
  if (code === undefined || code === 'internal_error') return unavailable(error)
  const retryAfter = error.retryAfterSeconds
  return problem(code, {
    detail: error.message,
    errors: [...error.errors],
    cause: error,
    ...(retryAfter === undefined ? {} : { headers: { 'retry-after': String(retryAfter) } }),
  })
}

const unavailable = (cause: unknown): Problem =>
  problem('service_unavailable', {
    detail: 'The platform is unavailable; retry shortly',
    cause,
    headers: { 'retry-after': retryAfterSeconds },
  })

/**
 * The client and `fetch` report a failed connection as a TypeError whose cause has a code, and a timeout by its name.
 */
const isNetworkError = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'TimeoutError' || (error instanceof TypeError && errorCode(error.cause) !== undefined))

/** Returns the headers about the browser of a request, for calls of the platform. */
export type BrowserHeaders = (
  site: Pick<SiteRequestContext, 'requestId' | 'traceparent' | 'clientAddress'>,
  headers: IncomingHttpHeaders,
) => Promise<Record<string, string>>

/**
 * Creates the function. The headers are the request id and trace that a call belongs to, and the client's address, by
 * which sign-ins are limited and which the audit log records. The edge believes the address because the console signs
 * the call.
 */
export function createBrowserHeaders(clientAddressHeaders: ClientAddressHeaders): BrowserHeaders {
  return async ({ requestId, traceparent, clientAddress }, headers) => ({
    'x-request-id': requestId,
    traceparent,
    ...(clientAddress === undefined ? {} : await clientAddressHeaders(clientAddress)),
    ...(headers['user-agent'] === undefined ? {} : { 'user-agent': headers['user-agent'] }),
  })
}
