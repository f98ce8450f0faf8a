import {
  type Identity,
  Problem,
  problem,
  type Resolution,
  type Scope,
  type PresentedCredential as ToResolve,
} from '@wp/contracts'
import type { AccessToken, TokenVerifier } from './access-token.ts'
import type { PresentedCredential } from './credential.ts'
import { type CredentialLookup, lookupOfApiKey, lookupOfToken, rejectionOf } from './credential-lookup.ts'
import { createInterner } from './intern.ts'
import type { Invalidations } from './invalidations.ts'
import { createSplitCache } from './split-cache.ts'

/** A credential that was found good: who it is, and what a token was narrowed to. */
export interface ResolvedCredential {
  identity: Identity
  /** Undefined: not narrowed. */
  tokenScopes: readonly Scope[] | undefined
  /** The same as the token spells it. */
  tokenScope: string | undefined
  tokenWorkspaceId: string | undefined
  /** The token's own id. */
  tokenId: string | undefined
  /** Milliseconds since 1970; infinite for a key without an end. */
  expiresAt: number
}

/** Resolves credentials, remembering the answers for a short while. */
export interface IdentityCache {
  /** @throws Problem 401 when the credential is not good, 503 when nobody can say */
  find(credential: PresentedCredential): Promise<ResolvedCredential>
  /**
   * As `find`, for one whose kept answer may be older than what it was granted since: asks anew, once a second at most.
   */
  refetch(credential: PresentedCredential): Promise<ResolvedCredential>
  size(): number
}

interface Options {
  tokens: TokenVerifier
  resolve: (presented: ToResolve) => Promise<Resolution>
  invalidations: Invalidations
  cacheMs: number
  staleMs: number
  entries: number
  now: () => number
}

interface CacheEntry {
  resolution: Resolution
  sequence: number
  /** When auth was asked for it although another was kept. */
  refetchedAt: number
  freshUntil: number
  staleUntil: number
}

/** Refusals are remembered this long, so that a credential that becomes good is not kept out. */
const rejectionCacheMs = 1000
/** Whoever is refused a workspace makes us ask again at most this often. */
const refetchIntervalMs = 1000

/**
 * The cache rules. Who a principal is: at most `cacheMs` and never past expiry; one lookup at a time; an answer during
 * whose lookup an invalidation came is used by those who asked before it, and not kept; while auth is away a kept answer
 * serves `staleMs` longer. That a token is signed does not change, so it is checked once, and trusted while its key is
 * published. Both are kept by SHA-256, never by value; all tokens of one principal share what auth said of it.
 */
export function createIdentityCache(options: Options): IdentityCache {
  const { tokens, resolve, invalidations, cacheMs, staleMs, entries, now } = options
  const lookups = createSplitCache<{ value: CredentialLookup; until: number }>(entries)
  const resolutions = createSplitCache<CacheEntry>(entries)
  const inFlight = new Map<string, Promise<CacheEntry>>()
  const intern = createInterner()

  async function lookupOf(credential: PresentedCredential): Promise<CredentialLookup> {
    if (credential.kind === 'apiKey') return lookupOfApiKey(credential)
    const kept = lookups.get(credential.digest)
    if (kept !== undefined && kept.until > now() && isTrusted(kept.value)) return kept.value
    const checked = await tokens.verify(credential.value).catch(throwUnavailable)
    if (checked.status === 'valid') {
      const value = lookupOfToken(checked.token)
      lookups.set(credential.digest, true, { value, until: checked.token.expiresAt })
      return value
    }
    const value = rejectionOf(checked.status)
    lookups.set(credential.digest, false, { value, until: now() + rejectionCacheMs })
    return value
  }

  const isTrusted = (value: CredentialLookup) =>
    'rejection' in value || value.token === undefined || tokens.isKeyPublished(value.token.key)

  async function fetch(key: string, presented: ToResolve): Promise<CacheEntry> {
    const sequence = invalidations.sequence()
    const resolution = intern(await resolve(presented))
    const isActive = resolution.status === 'active'
    const freshUntil = Math.min(
      now() + (isActive ? cacheMs : rejectionCacheMs),
      isActive ? expiryOf(resolution.identity) : Number.POSITIVE_INFINITY,
    )
    const staleUntil = isActive ? Math.min(freshUntil + staleMs, expiryOf(resolution.identity)) : freshUntil
    const entry = { resolution, sequence, refetchedAt: Number.NEGATIVE_INFINITY, freshUntil, staleUntil }
    if (isCurrent(entry)) resolutions.set(key, isActive, entry)
    return entry
  }

  function isCurrent({ resolution, sequence }: CacheEntry): boolean {
    if (resolution.status !== 'active') return true
    const { identity } = resolution
    return invalidations.isCurrentSince(sequence, {
      credentialId: identity.credential_id,
      principalId: identity.principal.id,
      workspaceIds: identity.grants.map((grant) => grant.workspace_id),
    })
  }

  /** One lookup at a time under one name. */
  function fetchOnce(key: string, presented: ToResolve): Promise<CacheEntry> {
    const found = inFlight.get(key)
    if (found !== undefined) return found
    const started = fetch(key, presented).finally(() => inFlight.delete(key))
    inFlight.set(key, started)
    return started
  }

  /** @param isForced whether what is kept may be older than what was granted since */
  async function entryFor(key: string, presented: ToResolve, isForced: boolean): Promise<CacheEntry> {
    const entry = resolutions.get(key)
    const kept = entry !== undefined && isCurrent(entry) ? entry : undefined
    const isEnough = !isForced || (kept !== undefined && kept.refetchedAt + refetchIntervalMs > now())
    if (kept !== undefined && kept.freshUntil > now() && isEnough) return kept
    try {
      const mark = invalidations.sequence()
      const asked = await fetchOnce(key, presented)
      // a lookup that others began may tell what was true before an invalidation that came before us
      const answer = asked.sequence < mark && !isCurrent(asked) ? await fetchOnce(key, presented) : asked
      if (isForced) answer.refetchedAt = now()
      return answer
    } catch (error) {
      if (!(error instanceof Problem) || error.status < 500) throw error
      // it may have been invalidated while we asked
      if (kept !== undefined && kept.staleUntil > now() && isCurrent(kept)) return kept
      return throwUnavailable(error)
    }
  }

  async function find(credential: PresentedCredential, isForced: boolean): Promise<ResolvedCredential> {
    const lookup = await lookupOf(credential)
    if ('rejection' in lookup) throw problem(lookup.rejection)
    if (lookup.token !== undefined && lookup.token.expiresAt <= now()) throw problem('expired_credential')
    const { resolution } = await entryFor(lookup.key, lookup.query, isForced)
    return resolvedCredentialOf(resolution, lookup.token)
  }

  return {
    size: () => resolutions.size(),
    find: (credential) => find(credential, false),
    refetch: (credential) => find(credential, true),
  }
}

function throwUnavailable(cause: unknown): never {
  const detail = 'The credential cannot be checked at the moment'
  throw problem('service_unavailable', { detail, cause, headers: { 'retry-after': '1' } })
}

const expiryOf = ({ expires_at }: Identity): number =>
  expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(expires_at)

function resolvedCredentialOf(resolution: Resolution, token: AccessToken | undefined): ResolvedCredential {
  if (resolution.status === 'expired') throw problem('expired_credential')
  if (resolution.status === 'revoked') throw problem('revoked_credential')
  if (resolution.status === 'unknown') throw problem('invalid_credential')
  const { identity } = resolution
  if (token !== undefined && identity.tokens_valid_after !== null && token.issuedAt < identity.tokens_valid_after)
    throw problem('revoked_credential')
  if (token !== undefined && identity.revoked_token_ids?.includes(token.tokenId) === true)
    throw problem('revoked_credential')
  const expiresAt = Math.min(token?.expiresAt ?? Number.POSITIVE_INFINITY, expiryOf(identity))
  const { scopes: tokenScopes, scope: tokenScope, workspaceId: tokenWorkspaceId, tokenId } = token ?? {}
  return { identity, tokenScopes, tokenScope, tokenWorkspaceId, tokenId, expiresAt }
}
