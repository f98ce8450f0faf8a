import { type PresentedCredential, Problem, type Resolution } from '@wp/contracts'
import { expiryOf } from '../resolved-credential.ts'
import { createInterner } from './intern.ts'
import type { Invalidations } from './invalidations.ts'
import { createSplitCache } from './split-cache.ts'

export interface ResolutionCacheOptions {
  /** Asks auth. @throws Problem 5xx while auth is unavailable */
  resolve: (query: PresentedCredential) => Promise<Resolution>
  invalidations: Invalidations
  /** Cache time of a valid credential. */
  cacheMs: number
  /** Additional time it is used while auth is unavailable. */
  staleMs: number
  /** Cache time of a rejected credential. */
  rejectionMs: number
  maxEntries: number
  now: () => number
}

interface CacheEntry {
  resolution: Resolution
  /** Sequence number of the invalidations when the lookup started. */
  sequence: number
  /** Time of the last forced fetch. */
  refetchedAt: number
  freshUntil: number
  staleUntil: number
}

/** A denied request can force a refetch at most this often per credential. */
const refetchIntervalMs = 1000

/**
 * Caches what auth says about credentials. At most one lookup per key is in flight. If an invalidation arrives during a
 * lookup, the requests that waited before it use the result, and it is not cached.
 */
export function createResolutionCache(options: ResolutionCacheOptions) {
  const { resolve, invalidations, maxEntries, now } = options
  const entries = createSplitCache<CacheEntry>(maxEntries)
  const inFlight = new Map<string, Promise<CacheEntry>>()
  const intern = createInterner()

  async function fetch(key: string, query: PresentedCredential): Promise<CacheEntry> {
    const sequence = invalidations.sequence()
    const resolution = intern(await resolve(query))
    const entry = createEntry(resolution, sequence, options)
    if (isCurrent(entry, invalidations)) entries.set(key, resolution.status === 'active', entry)
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

  return {
    size: () => entries.size(),
    /**
     * @param isForced fetches although a fresh entry is cached, at most once a second per key
     * @throws Problem 5xx if auth is unavailable and nothing usable is cached
     */
    async get(key: string, query: PresentedCredential, isForced: boolean): Promise<Resolution> {
      const found = entries.get(key)
      const cached = found !== undefined && isCurrent(found, invalidations) ? found : undefined
      const mayUseCached = !isForced || (cached !== undefined && cached.refetchedAt + refetchIntervalMs > now())
      if (cached !== undefined && cached.freshUntil > now() && mayUseCached) return cached.resolution
      try {
        const entry = await fetchCurrent(key, query)
        if (isForced) entry.refetchedAt = now()
        return entry.resolution
      } catch (error) {
        const isUnavailable = error instanceof Problem && error.status >= 500
        // checked again: it may have been invalidated during the lookup
        const isUsable = cached !== undefined && cached.staleUntil > now() && isCurrent(cached, invalidations)
        if (isUnavailable && isUsable) return cached.resolution
        throw error
      }
    },
  }
}

function createEntry(
  resolution: Resolution,
  sequence: number,
  { cacheMs, staleMs, rejectionMs, now }: ResolutionCacheOptions,
): CacheEntry {
  const refetchedAt = Number.NEGATIVE_INFINITY
  if (resolution.status !== 'active') {
    const freshUntil = now() + rejectionMs
    return { resolution, sequence, refetchedAt, freshUntil, staleUntil: freshUntil }
  }
  const expiresAt = expiryOf(resolution.identity)
  const freshUntil = Math.min(now() + cacheMs, expiresAt)
  return { resolution, sequence, refetchedAt, freshUntil, staleUntil: Math.min(freshUntil + staleMs, expiresAt) }
}

function isCurrent({ resolution, sequence }: CacheEntry, invalidations: Invalidations): boolean {
  if (resolution.status !== 'active') return true
  const { identity } = resolution
  return invalidations.isCurrentSince(sequence, {
    credentialId: identity.credential_id,
    principalId: identity.principal.id,
    workspaceIds: identity.grants.map((grant) => grant.workspace_id),
  })
}
