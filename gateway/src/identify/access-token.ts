import type { Scope } from '@wp/contracts'
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWK, jwtVerify } from 'jose'
import { createScopeCache, type ScopeCache } from './scope-cache.ts'

/** What a verified access token says. */
export interface AccessToken {
  principalId: string
  principalType: 'user' | 'service_principal'
  tokenId: string
  sessionId: string | undefined
  workspaceId: string | undefined
  /** What the token was narrowed to; undefined: not narrowed. */
  scopes: readonly Scope[] | undefined
  /** The same as it is written. */
  scope: string | undefined
  issuedAt: number
  /** Milliseconds since 1970. */
  expiresAt: number
  /** The key that signed it. */
  key: KeyFingerprint
}

/** Names a key by its id and what it is: another key under the same id is another name. */
export type KeyFingerprint = string

export type TokenCheck = { status: 'valid'; token: AccessToken } | { status: 'expired' } | { status: 'invalid' }

/** Verifies access tokens (RFC 9068) with the keys auth publishes. */
export interface TokenVerifier {
  /** @throws while no keys could be read */
  verify(token: string): Promise<TokenCheck>
  /** Whether a key is still published. That a token was signed does not change; that its signer is trusted may. */
  isKeyPublished(key: KeyFingerprint): boolean
}

interface Options {
  /** Base address: the issuer, and one of the audiences. */
  base: string
  /** Reads the published keys. */
  fetchKeys: () => Promise<JSONWebKeySet>
  now: () => number
}

/** Keys older than this are read again while they serve; much older ones serve nobody before they were. */
const refreshAfterMs = 60_000
const maxKeyAgeMs = 300_000
/** Whatever happens, the keys are asked for once in this time at most. */
const cooldownMs = 1000

/** The keys are read at first use, every minute after, and when a token names one that is not known. */
export function createTokenVerifier({ base, fetchKeys, now }: Options): TokenVerifier {
  let keys: Keys | undefined
  let last: { triedAt: number; reading: Promise<void>; done: boolean } | undefined
  const scopeCache = createScopeCache()

  /** Joins the reading under way, or begins one where the last attempt, good or bad, is long enough ago. */
  function read(): Promise<void> {
    if (last !== undefined && (!last.done || now() - last.triedAt < cooldownMs)) return last.reading
    const attempt = { triedAt: now(), done: false, reading: fetchKeys().then(keep) }
    last = attempt
    const end = () => {
      attempt.done = true
    }
    attempt.reading.then(end, end)
    return attempt.reading
  }

  function keep(set: JSONWebKeySet): void {
    const names = new Map(set.keys.map((key) => [key.kid, fingerprintOf(key)]))
    keys = { find: createLocalJWKSet(set), names, published: new Set(names.values()), readAt: now() }
  }

  async function freshKeys() {
    if (keys === undefined) await read()
    else if (now() - keys.readAt > refreshAfterMs) {
      const refreshed = read().catch(() => undefined) // auth is away: the keys we have still hold
      if (now() - keys.readAt > maxKeyAgeMs) await refreshed
    }
    if (keys === undefined) throw new Error('the published keys were not read')
    return keys
  }

  async function check(token: string, { find, names }: Keys) {
    try {
      const { payload, protectedHeader } = await jwtVerify(token, find, {
        algorithms: ['ES256'],
        typ: 'at+jwt',
        issuer: base,
        audience: base,
        requiredClaims: ['sub', 'exp', 'iat', 'jti', 'client_id', 'principal_type'],
        currentDate: new Date(now()),
      })
      const parsed = accessTokenOf(payload, names.get(protectedHeader.kid), scopeCache)
      return parsed === undefined ? invalid : ({ status: 'valid', token: parsed } as const)
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey) return 'unknown key'
      return error instanceof errors.JWTExpired ? expired : invalid
    }
  }

  return {
    async verify(token) {
      const before = await freshKeys()
      const first = await check(token, before)
      if (first !== 'unknown key') return first
      if (now() - before.readAt >= cooldownMs) await read()
      const after = await freshKeys()
      const second = after === before ? first : await check(token, after)
      return second === 'unknown key' ? invalid : second
    },
    isKeyPublished(key) {
      // who is only recognised also has to hear, if a little later, that the keys have changed
      if (keys === undefined || now() - keys.readAt > refreshAfterMs) read().catch(() => undefined)
      return keys?.published.has(key) ?? false
    },
  }
}

interface Keys {
  find: ReturnType<typeof createLocalJWKSet>
  /** The name of a key by its id. */
  names: ReadonlyMap<string | undefined, KeyFingerprint>
  published: ReadonlySet<KeyFingerprint>
  readAt: number
}

const fingerprintOf = ({ kid, x, y }: JWK): KeyFingerprint => JSON.stringify([kid, x, y])

const invalid = { status: 'invalid' } as const
const expired = { status: 'expired' } as const

function accessTokenOf(
  claims: Record<string, unknown>,
  key: KeyFingerprint | undefined,
  sets: ScopeCache,
): AccessToken | undefined {
  const { sub, principal_type, jti, sid, workspace_id, scope, iat, exp } = claims
  if (typeof sub !== 'string' || typeof jti !== 'string' || typeof iat !== 'number' || typeof exp !== 'number')
    return undefined
  if (principal_type !== 'user' && principal_type !== 'service_principal') return undefined
  if (key === undefined) return undefined
  const set = typeof scope === 'string' ? sets.parse(scope) : undefined
  return {
    principalId: sub,
    principalType: principal_type,
    tokenId: jti,
    sessionId: typeof sid === 'string' ? sid : undefined,
    workspaceId: typeof workspace_id === 'string' ? workspace_id : undefined,
    scopes: set?.scopes,
    scope: set?.text,
    issuedAt: iat,
    expiresAt: exp * 1000,
    key,
  }
}
