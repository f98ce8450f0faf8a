import { type Grant, type Identity, type PresentedCredential, Problem, type Resolution } from '@wp/contracts'
import { entryLimit } from '@wp/runtime'
import { LRUCache } from 'lru-cache'
import { expiryOf } from '../resolved-credential.ts'
import { createScopeCache } from '../token/scope-cache.ts'
import type { Invalidations } from './invalidations.ts'
import { createSplitCache } from './lookup-cache.ts'

export interface ResolutionCacheOptions {
  /** Asks auth. @throws Problem 5xx while auth is unavailable */
  resolve: (query: PresentedCredential) => Promise<Resolution>
  invalidations: Invalidations
  /** Cache time of a valid credential. */
  cacheMs: number
  /** Cache time of a valid credential while the change log proves that it is current. */
  provenCacheMs: number
  /** Returns the uptime until which the change log proves that entries are current. */
  provenUntil: () => number
  /** Additional time it is used while auth is unavailable. */
  staleMs: number
  /** Cache time of a rejected credential. */
  rejectionMs: number
  maxEntries: number
  /** Milliseconds since 1970; decides about the expiry of credentials. */
  now: () => number
  /** Monotonic milliseconds; decides about the age of entries. */
  uptime: () => number
}

interface CacheEntry {
  resolution: Resolution
  /**
   * Sequence number of the invalidations at which the entry was last known to be current; first, when its lookup
   * started.
   */
  sequence: number
  /** Uptime at the start of the lookup. */
  fetchedAt: number
  /** Uptime of the last forced fetch. */
  refetchedAt: number
  /** Expiry of the credential, in milliseconds since 1970. */
  expiresAt: number
}

/** A denied request can force a refetch at most this often per credential. */
const refetchIntervalMs = 1000

/**
 * Caches what auth says about credentials. At most one lookup per key is in flight. If an invalidation arrives during a
 * lookup, the requests that waited before it use the result, and it is not cached. Longer than most functions: its
 * steps share the entries and the lookups in flight.
 */
export function createResolutionCache(options: ResolutionCacheOptions) {
  const { resolve, invalidations, maxEntries, now, uptime, cacheMs, provenCacheMs, provenUntil } = options
  const entries = createSplitCache<CacheEntry>(maxEntries)
  const inFlight = new Map<string, Promise<CacheEntry>>()
  const intern = createInterner()

  async function fetch(key: string, query: PresentedCredential): Promise<CacheEntry> {
    const [sequence, fetchedAt] = [invalidations.sequence(), uptime()]
    const entry = createEntry(intern(await resolve(query)), sequence, fetchedAt)
    if (isCurrent(entry, invalidations)) entries.set(key, entry.resolution.status === 'active', entry)
    return entry
  }

  function fetchOnce(key: string, query: PresentedCredential): Promise<CacheEntry> {
    const found = inFlight.get(key)
    if (found !== undefined) return found
    const started = fetch(key, query).finally(() => inFlight.delete(key))
    inFlight.set(key, started)
    return started
  }

  async function fetchCurrent(key: string, query: PresentedCredential): Promise<CacheEntry> {
    const sequence = invalidations.sequence()
    const entry = await fetchOnce(key, query)
    // the lookup may have been in flight already, and started before an invalidation that arrived before this request
    return entry.sequence < sequence && !isCurrent(entry, invalidations) ? fetchOnce(key, query) : entry
  }

  function freshUntil({ resolution, fetchedAt }: CacheEntry): number {
    if (resolution.status !== 'active') return fetchedAt + options.rejectionMs
    return Math.max(fetchedAt + cacheMs, Math.min(fetchedAt + provenCacheMs, provenUntil()))
  }

  const isFresh = (entry: CacheEntry) => uptime() < freshUntil(entry) && now() < entry.expiresAt

  /** Returns true if an entry may be used although auth, which is unavailable, did not confirm it. */
  function isUsableStale(entry: CacheEntry): boolean {
    const staleMs = entry.resolution.status === 'active' ? options.staleMs : 0
    return uptime() < freshUntil(entry) + staleMs && now() < entry.expiresAt
  }

  return {
    size: () => entries.size(),
    /**
     * @param isForced fetches although a fresh entry is cached, at most once a second per key
     * @throws Problem 5xx if auth is unavailable and nothing usable is cached
     */
    async get(key: string, query: PresentedCredential, isForced: boolean): Promise<Resolution> {
      const found = entries.get(key)
      const cached = found !== undefined && isCurrent(found, invalidations) ? found : undefined
      const mayUseCached = !isForced || (cached !== undefined && cached.refetchedAt + refetchIntervalMs > uptime())
      if (cached !== undefined && mayUseCached && isFresh(cached)) return cached.resolution
      try {
        const entry = await fetchCurrent(key, query)
        if (isForced) entry.refetchedAt = uptime()
        return entry.resolution
      } catch (error) {
        const isUnavailable = error instanceof Problem && error.status >= 500
        // checked again: it may have been invalidated during the lookup
        if (isUnavailable && cached !== undefined && isUsableStale(cached) && isCurrent(cached, invalidations))
          return cached.resolution
        throw error
      }
    },
  }
}

function createEntry(resolution: Resolution, sequence: number, fetchedAt: number): CacheEntry {
  const expiresAt = resolution.status === 'active' ? expiryOf(resolution.identity) : Number.POSITIVE_INFINITY
  return { resolution, sequence, fetchedAt, refetchedAt: -refetchIntervalMs, expiresAt }
}

function isCurrent(entry: CacheEntry, invalidations: Invalidations): boolean {
  const { resolution, sequence } = entry
  if (resolution.status !== 'active') return true
  const latest = invalidations.sequence()
  if (sequence === latest) return true
  if (!invalidations.isCurrentSince(sequence, resolution.identity)) return false
  entry.sequence = latest // so that the next request does not compare again
  return true
}

const maxInterned = 10_000

/**
 * Creates a function that replaces equal parts of identities by shared objects. A hundred thousand API keys have few
 * distinct workspaces, scopes and limits, and each resolution arrives with copies of its own.
 */
function createInterner(): (resolution: Resolution) => Resolution {
  const scopeCache = createScopeCache()
  const grantsByJson = new LRUCache<string, Grant[]>(entryLimit(maxInterned))
  const limitsByQuota = new LRUCache<number, Identity['limits']>(entryLimit(maxInterned))

  function internGrants(grants: Grant[]): Grant[] {
    const json = JSON.stringify(grants)
    const cached = grantsByJson.get(json)
    if (cached !== undefined) return cached
    const interned = grants.map((grant) => ({ ...grant, scopes: scopeCache.parse(grant.scopes.join(' ')).scopes }))
    grantsByJson.set(json, interned)
    return interned
  }

  function internLimits(limits: Identity['limits']): Identity['limits'] {
    const interned = limitsByQuota.get(limits.credential_per_minute) ?? limits
    limitsByQuota.set(limits.credential_per_minute, interned)
    return interned
  }

  return (resolution) => {
    if (resolution.status !== 'active') return resolution
    const { identity } = resolution
    const { principal, credential_id, workspace_id } = identity
    const grants = internGrants(identity.grants)
    const [firstGrant] = grants
    const interned = {
      ...identity,
      grants,
      limits: internLimits(identity.limits),
      credential_id: credential_id === principal.id ? principal.id : credential_id,
      workspace_id: firstGrant?.workspace_id === workspace_id ? firstGrant.workspace_id : workspace_id,
    }
    return { status: 'active', identity: interned }
  }
}
