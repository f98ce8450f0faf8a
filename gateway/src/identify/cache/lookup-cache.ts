import type { RequestCredential } from '../credential.ts'
import { type CredentialLookup, lookupOfApiKey, lookupOfToken, type RejectedCredential } from '../credential-lookup.ts'
import type { TokenCheck } from '../token/access-token.ts'
import type { TokenVerifier } from '../token/token-verifier.ts'
import { createSplitCache } from './split-cache.ts'

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
