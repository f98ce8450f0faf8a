import type { IncomingHttpHeaders } from 'node:http'
import type { ClientAddressHeaders, SiteRequestContext } from '@wp/service'

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
