import type { Identity, Resolution, Scope, Presented as ToResolve } from '@wp/contracts'
import { Problem, problem } from '@wp/contracts'
import { LRUCache } from 'lru-cache'
import type { TokenVerifier } from './access-token.ts'
import { parseApiKey } from './api-key.ts'
import type { Presented } from './credential.ts'
import type { Invalidations } from './invalidations.ts'

/** A credential that was found good: who it is, and what a token was narrowed to. */
export interface Known {
  identity: Identity
  /** Undefined: not narrowed. */
  tokenScopes: readonly Scope[] | undefined
  tokenWorkspaceId: string | undefined
}

/** Resolves credentials, remembering the answers for a short while. */
export interface Identities {
  /** @throws Problem 401 when the credential is not good, 503 when nobody can say */
  find(credential: Presented): Promise<Known>
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

type Refusal = 'invalid_credential' | 'expired_credential' | 'revoked_credential'
type Found = { known: Known; expiresAt: number } | { refusal: Refusal }
type Entry = Found & { mark: number; freshUntil: number; staleUntil: number }

/** Refusals are remembered this long, so that a credential that becomes good is not kept out. */
const refusalMs = 1000

/**
 * The cache rules: by SHA-256 of the credential, at most `cacheMs` and never past expiry; one lookup at a time for one
 * credential; an answer during whose lookup an invalidation came is used once and not kept; while auth is away a kept
 * identity serves `staleMs` longer.
 */
export function createIdentities(options: Options): Identities {
  const { tokens, resolve, invalidations, cacheMs, staleMs, entries, now } = options
  const cache = new LRUCache<string, Entry>({ max: entries })
  const underWay = new Map<string, Promise<Found>>()

  async function lookUp(credential: Presented): Promise<Found> {
    if (credential.kind === 'bearer') return lookUpToken(credential)
    const segments = parseApiKey(credential.value)
    if (segments === undefined) return { refusal: 'invalid_credential' }
    const { shard, location, workspaceId } = segments
    const resolution = await resolve({
      type: 'api_key',
      hash: credential.digest,
      shard,
      location,
      workspace_id: workspaceId,
    })
    return foundOf(resolution, Number.POSITIVE_INFINITY, undefined, undefined)
  }

  async function lookUpToken(credential: Presented): Promise<Found> {
    const checked = await tokens.verify(credential.value)
    if (checked.status !== 'valid')
      return { refusal: checked.status === 'expired' ? 'expired_credential' : 'invalid_credential' }
    const { token } = checked
    const resolution = await resolve({
      type: 'token',
      principal_id: token.principalId,
      principal_type: token.principalType,
      token_id: token.tokenId,
      ...(token.sessionId === undefined ? {} : { session_id: token.sessionId }),
      issued_at: token.issuedAt,
    })
    return foundOf(resolution, token.expiresAt, token.scopes, token.workspaceId)
  }

  async function fetch(credential: Presented): Promise<Found> {
    const mark = invalidations.mark()
    const found = await lookUp(credential)
    const lifetime = 'refusal' in found ? refusalMs : cacheMs
    const end = 'refusal' in found ? Number.POSITIVE_INFINITY : found.expiresAt
    const freshUntil = Math.min(now() + lifetime, end)
    const entry = {
      ...found,
      mark,
      freshUntil,
      staleUntil: 'refusal' in found ? freshUntil : Math.min(freshUntil + staleMs, end),
    }
    if (isCurrent(entry)) cache.set(credential.digest, entry)
    return found
  }

  function isCurrent(entry: Entry): boolean {
    if ('refusal' in entry) return true
    const { identity } = entry.known
    return invalidations.holds(entry.mark, {
      credentialId: identity.credential_id,
      principalId: identity.principal.id,
      workspaceIds: identity.grants.map((grant) => grant.workspace_id),
    })
  }

  /** One lookup at a time for one credential. */
  function fetchOnce(credential: Presented): Promise<Found> {
    const found = underWay.get(credential.digest)
    if (found !== undefined) return found
    const started = fetch(credential).finally(() => underWay.delete(credential.digest))
    underWay.set(credential.digest, started)
    return started
  }

  return {
    size: () => cache.size,
    async find(credential) {
      const entry = cache.get(credential.digest)
      const kept = entry !== undefined && isCurrent(entry) ? entry : undefined
      if (kept !== undefined && kept.freshUntil > now()) return knownOf(kept)
      try {
        return knownOf(await fetchOnce(credential))
      } catch (error) {
        if (!(error instanceof Problem) || error.status < 500) throw error
        // it may have been invalidated while we asked
        if (kept !== undefined && kept.staleUntil > now() && isCurrent(kept)) return knownOf(kept)
        throw problem('service_unavailable', {
          detail: 'The credential cannot be checked at the moment',
          cause: error,
          headers: { 'retry-after': '1' },
        })
      }
    },
  }
}

function foundOf(
  resolution: Resolution,
  tokenEnd: number,
  tokenScopes: Known['tokenScopes'],
  tokenWorkspaceId: string | undefined,
): Found {
  if (resolution.status === 'expired') return { refusal: 'expired_credential' }
  if (resolution.status === 'revoked') return { refusal: 'revoked_credential' }
  if (resolution.status === 'unknown') return { refusal: 'invalid_credential' }
  const { identity } = resolution
  const credentialEnd = identity.expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(identity.expires_at)
  const expiresAt = Math.min(tokenEnd, credentialEnd)
  const withEnd = Number.isFinite(expiresAt) ? { ...identity, expires_at: new Date(expiresAt).toISOString() } : identity
  return { known: { identity: withEnd, tokenScopes, tokenWorkspaceId }, expiresAt }
}

function knownOf(found: Found): Known {
  if ('refusal' in found) throw problem(found.refusal)
  return found.known
}
