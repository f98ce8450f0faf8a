import type { Scope } from '@wp/contracts'
import { createLocalJWKSet, errors, type JSONWebKeySet, jwtVerify } from 'jose'
import { createScopeSets, type ScopeSets } from './scope-sets.ts'

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
}

export type TokenCheck = { status: 'valid'; token: AccessToken } | { status: 'expired' } | { status: 'invalid' }

/** Verifies access tokens (RFC 9068) with the keys auth publishes. */
export interface TokenVerifier {
  verify(token: string): Promise<TokenCheck>
}

interface Options {
  /** Base address: the issuer, and one of the audiences. */
  base: string
  /** Reads the published keys. */
  fetchKeys: () => Promise<JSONWebKeySet>
  now: () => number
}

/** How old the keys may get, and how soon an unknown key id may make us ask again. */
const maxAgeMs = 300_000
const cooldownMs = 1000

/** The keys are read at first use; an unknown key id reads them again, at most once a second. */
export function createTokenVerifier({ base, fetchKeys, now }: Options): TokenVerifier {
  let keys: { find: ReturnType<typeof createLocalJWKSet>; readAt: number } | undefined
  let reading: Promise<void> | undefined
  const sets = createScopeSets()

  async function read() {
    reading ??= fetchKeys()
      .then((set) => {
        keys = { find: createLocalJWKSet(set), readAt: now() }
      })
      .finally(() => {
        reading = undefined
      })
    await reading
  }

  async function check(token: string): Promise<TokenCheck> {
    if (keys === undefined) throw new Error('the published keys were not read')
    const { payload } = await jwtVerify(token, keys.find, {
      algorithms: ['ES256'],
      typ: 'at+jwt',
      issuer: base,
      audience: base,
      requiredClaims: ['sub', 'exp', 'iat', 'jti', 'client_id', 'principal_type'],
      currentDate: new Date(now()),
    })
    const parsed = accessTokenOf(payload, sets)
    return parsed === undefined ? { status: 'invalid' } : { status: 'valid', token: parsed }
  }

  return {
    async verify(token) {
      if (keys === undefined) await read()
      else if (now() - keys.readAt > maxAgeMs) await read().catch(() => undefined) // auth is away: the keys we have still hold
      try {
        return await check(token)
      } catch (error) {
        if (error instanceof errors.JWTExpired) return { status: 'expired' }
        if (!(error instanceof errors.JWKSNoMatchingKey) || keys === undefined || now() - keys.readAt < cooldownMs)
          return { status: 'invalid' }
        await read()
        return check(token).catch(() => ({ status: 'invalid' }))
      }
    },
  }
}

function accessTokenOf(claims: Record<string, unknown>, sets: ScopeSets): AccessToken | undefined {
  const { sub, principal_type, jti, sid, workspace_id, scope, iat, exp } = claims
  if (typeof sub !== 'string' || typeof jti !== 'string' || typeof iat !== 'number' || typeof exp !== 'number')
    return undefined
  if (principal_type !== 'user' && principal_type !== 'service_principal') return undefined
  const set = typeof scope === 'string' ? sets.of(scope) : undefined
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
  }
}
