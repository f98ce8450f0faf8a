import { type Outbound, OutboundError, type OutboundResponse, type ResponseHeaders } from '@wp/outbound'
import { type Client, InvalidClientError, parseMetadataDocument } from './client-metadata.ts'

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

/** Without a `Cache-Control` field. */
const defaultCacheSeconds = 300
/** A client that changes its redirect URIs is known within this time. */
const maxCacheSeconds = 86_400

/** Returns the seconds for which a response may be cached (RFC 9111 section 5.2.2), at most a day; 0 for not at all. */
export function maxAgeSecondsOf(headers: ResponseHeaders): number {
  const directives = String(headers['cache-control'] ?? '')
    .toLowerCase()
    .split(',')
    .map((directive) => directive.trim())
  if (directives.some((directive) => /^(no-store|no-cache)\b/.test(directive))) return 0
  const given = directives.flatMap((directive) => /^(?:s-maxage|max-age)="?(\d{1,9})"?$/.exec(directive)?.[1] ?? [])
  const shortest = given.length === 0 ? defaultCacheSeconds : Math.min(...given.map(Number))
  const age = Number(headers.age ?? 0)
  return Math.min(maxCacheSeconds, Math.max(0, shortest - (Number.isFinite(age) ? age : 0)))
}
