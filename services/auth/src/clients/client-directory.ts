import type { Outbound } from '@wp/outbound'
import type { DerivedKeys } from '../secrets/derived-keys.ts'
import { parseClientId } from './client-id.ts'
import { type Client, InvalidClientError } from './client-metadata.ts'
import { type FetchedClient, fetchMetadataDocument } from './fetch-metadata-document.ts'
import { isRegisteredClientId, openRegisteredClient } from './registered-client.ts'

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
