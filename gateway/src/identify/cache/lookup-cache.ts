import { entryLimit } from '@wp/runtime'
import { LRUCache } from 'lru-cache'
import type { RequestCredential } from '../credential.ts'
import { type CredentialLookup, lookupOfApiKey, lookupOfToken, type RejectedCredential } from '../credential-lookup.ts'
import type { TokenCheck } from '../token/access-token.ts'
import type { TokenVerifier } from '../token/token-verifier.ts'

interface LookupCacheOptions {
  tokens: TokenVerifier
  maxEntries: number
  /** Cache time of a rejected token. */
  rejectionMs: number
  now: () => number
}

type Lookup = CredentialLookup | RejectedCredential

/**
 * Creates a function that checks a credential as far as the edge can. A valid signature stays valid, so a token is
 * verified once and trusted until it expires while its key is published. Cached by SHA-256, never by value.
 *
 * The function throws while no signing keys are available.
 */
export function createLookupCache({ tokens, maxEntries, rejectionMs, now }: LookupCacheOptions) {
  const lookups = createSplitCache<{ lookup: Lookup; cachedUntil: number }>(maxEntries)

  const isTrusted = (lookup: Lookup) =>
    'rejection' in lookup || lookup.token === undefined || tokens.isKeyPublished(lookup.token.key)

  function cache(digest: string, check: TokenCheck): Lookup {
    const isValid = check.status === 'valid'
    const lookup: Lookup = isValid ? lookupOfToken(check.token) : { rejection: `${check.status}_credential` }
    lookups.set(digest, isValid, { lookup, cachedUntil: isValid ? check.token.expiresAt : now() + rejectionMs })
    return lookup
  }

  return async (credential: RequestCredential): Promise<Lookup> => {
    if (credential.kind === 'apiKey') return lookupOfApiKey(credential)
    const cached = lookups.get(credential.digest)
    if (cached !== undefined && cached.cachedUntil > now() && isTrusted(cached.lookup)) return cached.lookup
    return cache(credential.digest, await tokens.verify(credential.value))
  }
}

/** Bounds the rejected credentials, so that invented ones cannot evict valid ones. */
const maxRejected = 10_000

/** Creates separate LRU caches for valid and rejected credentials; a key is in at most one. */
export function createSplitCache<Entry extends object>(maxEntries: number) {
  const valid = new LRUCache<string, Entry>(entryLimit(maxEntries))
  const rejected = new LRUCache<string, Entry>(entryLimit(Math.min(maxEntries, maxRejected)))
  return {
    get: (key: string) => valid.get(key) ?? rejected.get(key),
    set(key: string, isValid: boolean, entry: Entry) {
      const [cache, other] = isValid ? [valid, rejected] : [rejected, valid]
      other.delete(key)
      cache.set(key, entry)
    },
    /** Returns the number of valid entries. */
    size: () => valid.size,
  }
}
