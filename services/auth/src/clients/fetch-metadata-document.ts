import { type Outbound, OutboundError, type OutboundResponse } from '@wp/outbound'
import { type Client, InvalidClientError, parseMetadataDocument } from './client-metadata.ts'
import { maxAgeSecondsOf } from './max-age.ts'

/** Largest document; the draft recommends a limit of 5 KiB. */
const maxDocumentBytes = 16_384
const fetchTimeoutMs = 5_000

/** A client with the time for which its document may be cached. */
export interface FetchedClient {
  client: Client
  maxAgeSeconds: number
}

/**
 * Fetches and reads the metadata document of a client. Follows no redirects, so that the host of the id is the host of
 * the document.
 * @throws InvalidClientError if the document cannot be fetched or is not valid
 */
export async function fetchMetadataDocument(
  outbound: Pick<Outbound, 'request'>,
  url: URL,
  clientId: string,
): Promise<FetchedClient> {
  const response = await outbound
    .request({
      url,
      headers: { accept: 'application/json', 'user-agent': 'workspace-platform' },
      protocols: url.protocol === 'http:' ? ['https:', 'http:'] : ['https:'],
      timeoutMs: fetchTimeoutMs,
      maxResponseBytes: maxDocumentBytes,
      keepResponseBytes: maxDocumentBytes,
    })
    .catch((error: unknown) => {
      throw error instanceof OutboundError ? unreachable(error) : error
    })
  rejectUnusable(response)
  const client = parseMetadataDocument(clientId, response.body.toString('utf8'))
  return { client, maxAgeSeconds: maxAgeSecondsOf(response.headers) }
}

const unreachable = (cause: OutboundError) =>
  new InvalidClientError(`Its metadata document could not be fetched: ${cause.message}.`, { cause })

function rejectUnusable({ status, headers, truncated }: OutboundResponse): void {
  if (status >= 300 && status < 400)
    throw new InvalidClientError('Its metadata document redirects to another address, which is not followed.')
  if (status !== 200)
    throw new InvalidClientError(`Its metadata document could not be fetched: the server answered ${status}.`)
  if (truncated) throw new InvalidClientError(`Its metadata document is larger than ${maxDocumentBytes} bytes.`)
  const type = String(headers['content-type'] ?? '').split(';', 1)[0] ?? ''
  if (!/^application\/([\w.+-]+\+)?json$/i.test(type.trim()))
    throw new InvalidClientError('Its metadata document is not application/json.')
}
