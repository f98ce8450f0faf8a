import { protectedResources, type Scope } from '@wp/contracts'
import { errors, jwtVerify } from 'jose'
import type { ScopeCache } from './scope-cache.ts'
import type { KeyFingerprint, SigningKeys } from './signing-keys.ts'

/** The content of a verified access token. */
export interface AccessToken {
  principalId: string
  principalType: 'user' | 'service_principal'
  tokenId: string
  sessionId: string | undefined
  workspaceId: string | undefined
  /** Scopes of a downscoped token; undefined if the token is not restricted. */
  scopes: readonly Scope[] | undefined
  /** The same as the token states it. */
  scope: string | undefined
  /** The only protected resource that the token is for (RFC 8707); undefined if it is for all. */
  resource: string | undefined
  /** Last authentication of the user, in seconds since 1970; undefined for a service principal. */
  authTime: number | undefined
  /** Seconds since then after which endpoints with step-up authentication refuse the token; undefined for never. */
  maxAuthAge: number | undefined
  /** Seconds since 1970. */
  issuedAt: number
  /** Milliseconds since 1970. */
  expiresAt: number
  /** The key that signed it. */
  key: KeyFingerprint
}

export type TokenCheck = { status: 'valid'; token: AccessToken } | { status: 'expired' } | { status: 'invalid' }

interface CheckOptions {
  /** Expected issuer; the audience is one of its protected resources. */
  base: string
  keys: SigningKeys
  scopeCache: ScopeCache
  now: number
}

/**
 * Verifies an access token (RFC 9068) with the given keys.
 *
 * @returns `unknown_key` if none of them has the key id of the token
 */
export async function checkAccessToken(
  token: string,
  { base, keys, scopeCache, now }: CheckOptions,
): Promise<TokenCheck | 'unknown_key'> {
  if (!compactForm.test(token)) return { status: 'invalid' }
  const resources = protectedResources(base)
  try {
    const { payload, protectedHeader } = await jwtVerify(token, keys.find, {
      algorithms: ['ES256'],
      typ: 'at+jwt',
      issuer: base,
      audience: resources,
      requiredClaims: ['sub', 'exp', 'iat', 'jti', 'client_id', 'principal_type'],
      currentDate: new Date(now),
    })
    const key = keys.fingerprintsById.get(protectedHeader.kid)
    const parsed = parseClaims(payload, key, scopeCache, resourceOfAudience(payload.aud, resources))
    return parsed === undefined ? { status: 'invalid' } : { status: 'valid', token: parsed }
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey) return 'unknown_key'
    return { status: error instanceof errors.JWTExpired ? 'expired' : 'invalid' }
  }
}

/** The library also accepts padding, which RFC 7515 (section 2) excludes: a token has one spelling. */
const compactForm = /^[\w-]+\.[\w-]+\.[\w-]+$/

function parseClaims(
  claims: Record<string, unknown>,
  key: KeyFingerprint | undefined,
  scopeCache: ScopeCache,
  resource: string | undefined,
): AccessToken | undefined {
  const { sub, principal_type, jti, sid, workspace_id, scope, auth_time, max_auth_age, iat, exp } = claims
  if (typeof sub !== 'string' || typeof jti !== 'string' || typeof iat !== 'number' || typeof exp !== 'number')
    return undefined
  if (principal_type !== 'user' && principal_type !== 'service_principal') return undefined
  if (key === undefined) return undefined
  const scopeList = typeof scope === 'string' ? scopeCache.parse(scope) : undefined
  return {
    principalId: sub,
    principalType: principal_type,
    tokenId: jti,
    sessionId: typeof sid === 'string' ? sid : undefined,
    workspaceId: typeof workspace_id === 'string' ? workspace_id : undefined,
    scopes: scopeList?.scopes,
    scope: scopeList?.text,
    resource,
    authTime: typeof auth_time === 'number' ? auth_time : undefined,
    maxAuthAge: typeof max_auth_age === 'number' ? max_auth_age : undefined,
    issuedAt: iat,
    expiresAt: exp * 1000,
    key,
  }
}

/** Returns the resource that an audience is restricted to. The audience contains at least one of the resources. */
function resourceOfAudience(audience: string | string[] | undefined, resources: readonly string[]): string | undefined {
  const [first, another] = resources.filter((resource) => [audience].flat().includes(resource))
  return another === undefined ? first : undefined
}
