import { type Outbound, OutboundError, type OutboundResponse, type ResponseHeaders } from '@wp/outbound'
import type { DerivedKeys } from '../secrets/derived-keys.ts'
import { type Client, InvalidClientError, parseMetadataDocument } from './client-metadata.ts'
import { isRegisteredClientId, openRegisteredClient, parseClientId } from './registered-client.ts'

/** Largest document; the draft recommends a limit of 5 KiB. */
const maxDocumentBytes = 16_384
const fetchTimeoutMs = 5_000

/** Without a `Cache-Control` field. */
const defaultCacheSeconds = 300
/** A client that changes its redirect URIs is known within this time. */
const maxCacheSeconds = 86_400

/** Documents in the cache. The one fetched longest ago is evicted first. */
const maxCachedClients = 1_000

/** Finds the clients that users can authorize. */
export interface ClientDirectory {
  /**
   * Returns the client with an id: a registered one, or one with a metadata document, from the cache or its address.
   * @param admitFetch called before a document is fetched; throws if the caller may not cause another request
   * @throws InvalidClientError if there is no such client, or its document is not valid
   */
  find(clientId: string, admitFetch: (url: URL) => Promise<void>): Promise<Client>
}

interface DirectoryOptions {
  derivedKeys: DerivedKeys
  outbound: Pick<Outbound, 'request'>
  /** True in development: a client id may be http on loopback. */
  isHttpAllowed: boolean
  /** Milliseconds since 1970. */
  now: () => number
}

/** Creates the directory. Only valid documents are cached, so that a client can correct its document at once. */
export function createClientDirectory({
  derivedKeys,
  outbound,
  isHttpAllowed,
  now,
}: DirectoryOptions): ClientDirectory {
  const cache = new Map<string, { client: Client; staleAt: number }>()

  function store({ client, maxAgeSeconds }: FetchedClient): void {
    cache.delete(client.id)
    if (maxAgeSeconds === 0) return
    const [oldest] = cache.keys()
    if (oldest !== undefined && cache.size >= maxCachedClients) cache.delete(oldest)
    cache.set(client.id, { client, staleAt: now() + maxAgeSeconds * 1000 })
  }

  return {
    async find(clientId, admitFetch) {
      if (isRegisteredClientId(clientId)) return requireRegisteredClient(derivedKeys, clientId)
      const url = parseClientId(clientId, isHttpAllowed)
      if (url === undefined)
        throw new InvalidClientError('Its client_id is not the https address of a client id metadata document.')
      const cached = cache.get(clientId)
      if (cached !== undefined && now() < cached.staleAt) return cached.client
      await admitFetch(url)
      const fetched = await fetchMetadataDocument(outbound, url, clientId)
      store(fetched)
      return fetched.client
    },
  }
}

function requireRegisteredClient(keys: DerivedKeys, clientId: string): Client {
  const client = openRegisteredClient(keys, clientId)
  if (client === undefined)
    throw new InvalidClientError('It is not registered here. Remove this server from the application and add it again.')
  return client
}

/** A client with the time for which its document may be cached. */
interface FetchedClient {
  client: Client
  maxAgeSeconds: number
}

/**
 * Fetches and reads the metadata document of a client. Follows no redirects, so that the host of the id is the host of
 * the document.
 * @throws InvalidClientError if the document cannot be fetched or is not valid
 */
async function fetchMetadataDocument(
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
