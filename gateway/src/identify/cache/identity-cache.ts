import { Problem, problem } from '@wp/contracts'
import type { RequestCredential } from '../credential.ts'
import { type ResolvedCredential, toResolvedCredential } from '../resolved-credential.ts'
import type { TokenVerifier } from '../token/token-verifier.ts'
import { createLookupCache } from './lookup-cache.ts'
import { createResolutionCache, type ResolutionCacheOptions } from './resolution-cache.ts'

/** Resolves credentials to identities, with a cache. See docs/decisions/edge-identity-cache.md. */
export interface IdentityCache {
  /** @throws Problem 401 if the credential is not valid, 503 if it cannot be verified */
  find(credential: RequestCredential): Promise<ResolvedCredential>
  /** As `find`, but asks auth although the cached identity is fresh; at most once a second per credential. */
  refetch(credential: RequestCredential): Promise<ResolvedCredential>
  /** Returns the number of cached identities. */
  size(): number
}

interface IdentityCacheOptions extends Omit<ResolutionCacheOptions, 'rejectionMs'> {
  tokens: TokenVerifier
}

/** Short, so that a credential that becomes valid is soon accepted. */
const rejectionMs = 1000

export function createIdentityCache(options: IdentityCacheOptions): IdentityCache {
  const { now } = options
  const findLookup = createLookupCache({ ...options, rejectionMs })
  const resolutions = createResolutionCache({ ...options, rejectionMs })

  async function find(credential: RequestCredential, isForced: boolean): Promise<ResolvedCredential> {
    const lookup = await findLookup(credential).catch(throwUnverifiable)
    if ('rejection' in lookup) throw problem(lookup.rejection)
    const { key, query, token } = lookup
    if (token !== undefined && token.expiresAt <= now()) throw problem('expired_credential')
    const resolution = await resolutions.get(key, query, isForced).catch((error: unknown) => {
      if (error instanceof Problem && error.status >= 500) throwUnverifiable(error)
      throw error
    })
    return toResolvedCredential(resolution, token)
  }

  return {
    find: (credential) => find(credential, false),
    refetch: (credential) => find(credential, true),
    size: () => resolutions.size(),
  }
}

function throwUnverifiable(cause: unknown): never {
  const detail = 'Credentials cannot be verified at the moment; retry shortly'
  throw problem('service_unavailable', { detail, cause, headers: { 'retry-after': '1' } })
}
