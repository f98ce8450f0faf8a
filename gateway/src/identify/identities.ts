import {
  type Identity,
  Problem,
  problem,
  type Resolution,
  type Scope,
  type Presented as ToResolve,
} from '@wp/contracts'
import type { AccessToken, TokenVerifier } from './access-token.ts'
import { createApart } from './apart.ts'
import type { Presented } from './credential.ts'
import type { Invalidations } from './invalidations.ts'
import { createSharing } from './sharing.ts'
import { refusalOf, type Shown, showKey, showToken } from './shown.ts'

/** A credential that was found good: who it is, and what a token was narrowed to. */
export interface Known {
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
export interface Identities {
  /** @throws Problem 401 when the credential is not good, 503 when nobody can say */
  find(credential: Presented): Promise<Known>
  /**
   * As `find`, for one whose kept answer may be older than what it was granted since: asks anew, once a second at most.
   */
  findAgain(credential: Presented): Promise<Known>
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

interface Answer {
  resolution: Resolution
  mark: number
  /** When auth was asked for it although another was kept. */
  insistedAt: number
  freshUntil: number
  staleUntil: number
}

/** Refusals are remembered this long, so that a credential that becomes good is not kept out. */
const refusalMs = 1000
/** Whoever is refused a workspace makes us ask again at most this often. */
const againMs = 1000

/**
 * The cache rules. Who a principal is: at most `cacheMs` and never past expiry; one lookup at a time; an answer during
 * whose lookup an invalidation came is used by those who asked before it, and not kept; while auth is away a kept answer
 * serves `staleMs` longer. That a token is signed does not change, so it is checked once, and trusted while its key is
 * published. Both are kept by SHA-256, never by value; all tokens of one principal share what auth said of it.
 */
export function createIdentities(options: Options): Identities {
  const { tokens, resolve, invalidations, cacheMs, staleMs, entries, now } = options
  const shown = createApart<{ value: Shown; until: number }>(entries)
  const answers = createApart<Answer>(entries)
  const underWay = new Map<string, Promise<Answer>>()
  const share = createSharing()

  async function show(credential: Presented): Promise<Shown> {
    if (credential.kind === 'apiKey') return showKey(credential)
    const kept = shown.get(credential.digest)
    if (kept !== undefined && kept.until > now() && isTrusted(kept.value)) return kept.value
    const checked = await tokens.verify(credential.value).catch(cannotTell)
    if (checked.status === 'valid') {
      const value = showToken(checked.token)
      shown.keep(credential.digest, true, { value, until: checked.token.expiresAt })
      return value
    }
    const value = refusalOf(checked.status)
    shown.keep(credential.digest, false, { value, until: now() + refusalMs })
    return value
  }

  const isTrusted = (value: Shown) =>
    'refusal' in value || value.token === undefined || tokens.isPublished(value.token.key)

  async function ask(key: string, presented: ToResolve): Promise<Answer> {
    const mark = invalidations.mark()
    const resolution = share(await resolve(presented))
    const isActive = resolution.status === 'active'
    const freshUntil = Math.min(
      now() + (isActive ? cacheMs : refusalMs),
      isActive ? endOf(resolution.identity) : Number.POSITIVE_INFINITY,
    )
    const staleUntil = isActive ? Math.min(freshUntil + staleMs, endOf(resolution.identity)) : freshUntil
    const answer = { resolution, mark, insistedAt: Number.NEGATIVE_INFINITY, freshUntil, staleUntil }
    if (isCurrent(answer)) answers.keep(key, isActive, answer)
    return answer
  }

  function isCurrent({ resolution, mark }: Answer): boolean {
    if (resolution.status !== 'active') return true
    const { identity } = resolution
    return invalidations.holds(mark, {
      credentialId: identity.credential_id,
      principalId: identity.principal.id,
      workspaceIds: identity.grants.map((grant) => grant.workspace_id),
    })
  }

  /** One lookup at a time under one name. */
  function askOnce(key: string, presented: ToResolve): Promise<Answer> {
    const found = underWay.get(key)
    if (found !== undefined) return found
    const started = ask(key, presented).finally(() => underWay.delete(key))
    underWay.set(key, started)
    return started
  }

  /** @param insists whether what is kept may be older than what was granted since */
  async function answerFor(key: string, presented: ToResolve, insists: boolean): Promise<Answer> {
    const entry = answers.get(key)
    const kept = entry !== undefined && isCurrent(entry) ? entry : undefined
    const isEnough = !insists || (kept !== undefined && kept.insistedAt + againMs > now())
    if (kept !== undefined && kept.freshUntil > now() && isEnough) return kept
    try {
      const mark = invalidations.mark()
      const asked = await askOnce(key, presented)
      // a lookup that others began may tell what was true before an invalidation that came before us
      const answer = asked.mark < mark && !isCurrent(asked) ? await askOnce(key, presented) : asked
      if (insists) answer.insistedAt = now()
      return answer
    } catch (error) {
      if (!(error instanceof Problem) || error.status < 500) throw error
      // it may have been invalidated while we asked
      if (kept !== undefined && kept.staleUntil > now() && isCurrent(kept)) return kept
      return cannotTell(error)
    }
  }

  async function find(credential: Presented, insists: boolean): Promise<Known> {
    const said = await show(credential)
    if ('refusal' in said) throw problem(said.refusal)
    if (said.token !== undefined && said.token.expiresAt <= now()) throw problem('expired_credential')
    const { resolution } = await answerFor(said.key, said.ask, insists)
    return knownOf(resolution, said.token)
  }

  return {
    size: () => answers.size(),
    find: (credential) => find(credential, false),
    findAgain: (credential) => find(credential, true),
  }
}

function cannotTell(cause: unknown): never {
  const detail = 'The credential cannot be checked at the moment'
  throw problem('service_unavailable', { detail, cause, headers: { 'retry-after': '1' } })
}

const endOf = ({ expires_at }: Identity): number =>
  expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(expires_at)

function knownOf(resolution: Resolution, token: AccessToken | undefined): Known {
  if (resolution.status === 'expired') throw problem('expired_credential')
  if (resolution.status === 'revoked') throw problem('revoked_credential')
  if (resolution.status === 'unknown') throw problem('invalid_credential')
  const { identity } = resolution
  if (token !== undefined && identity.tokens_valid_after !== null && token.issuedAt < identity.tokens_valid_after)
    throw problem('revoked_credential')
  if (token !== undefined && identity.revoked_token_ids?.includes(token.tokenId) === true)
    throw problem('revoked_credential')
  const expiresAt = Math.min(token?.expiresAt ?? Number.POSITIVE_INFINITY, endOf(identity))
  const { scopes: tokenScopes, scope: tokenScope, workspaceId: tokenWorkspaceId, tokenId } = token ?? {}
  return { identity, tokenScopes, tokenScope, tokenWorkspaceId, tokenId, expiresAt }
}
