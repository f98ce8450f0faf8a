import type { IncomingHttpHeaders } from 'node:http'
import { assertionHeader, type Signer, type SiteRequestContext, type Subject } from '@wp/service'

/** Returns the headers about the browser of a request, for calls of the platform. */
export type BrowserHeaders = (
  site: Pick<SiteRequestContext, 'requestId' | 'traceparent' | 'clientAddress'>,
  headers: IncomingHttpHeaders,
) => Promise<Record<string, string>>

/**
 * Creates the function. The headers are the request id and trace that a call belongs to, and the client's address, by which
 * sign-ins are limited and which the audit log records. The edge believes the address because the console signs the call.
 */
export function createBrowserHeaders(signer: Signer, { shard, location }: { shard: string; location: string }) {
  const subject: Subject = {
    principal: { id: 'anonymous', type: 'anonymous' },
    credentialId: 'anonymous',
    workspaceId: null,
    shard,
    location,
    scopes: [],
  }
  const browserHeaders: BrowserHeaders = async ({ requestId, traceparent, clientAddress }, headers) => ({
    'x-request-id': requestId,
    traceparent,
    ...(clientAddress === undefined
      ? {}
      : { 'x-forwarded-for': clientAddress, [assertionHeader]: await signer.sign(subject, 'gateway') }),
    ...(headers['user-agent'] === undefined ? {} : { 'user-agent': headers['user-agent'] }),
  })
  return browserHeaders
}
