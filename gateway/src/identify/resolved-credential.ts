import { type ErrorCode, type Identity, problem, type Resolution, resourceOfPath, type Scope } from '@wp/contracts'
import type { Subject } from '@wp/service'
import type { AccessToken } from './token/access-token.ts'

/** A valid credential: the identity it belongs to, and what the access token restricts. */
export interface ResolvedCredential {
  identity: Identity
  /** Scopes of a downscoped token; undefined if the token is not restricted. */
  tokenScopes: readonly Scope[] | undefined
  /** The same as the token states it. */
  tokenScope: string | undefined
  tokenWorkspaceId: string | undefined
  /** The only protected resource that the token is for (RFC 8707); undefined if it is for all. */
  tokenResource: string | undefined
  tokenId: string | undefined
  /** Last authentication of the user that the token states, in seconds since 1970. */
  authTime: number | undefined
  /** Seconds since then after which endpoints with step-up authentication refuse the token; undefined for never. */
  maxAuthAge: number | undefined
  /** Milliseconds since 1970; infinite for a key that does not expire. */
  expiresAt: number
}

/**
 * Combines what auth says about a credential with the access token.
 *
 * @throws Problem 401 if the credential is not valid
 */
export function toResolvedCredential(resolution: Resolution, token: AccessToken | undefined): ResolvedCredential {
  if (resolution.status !== 'active') throw problem(rejectionCodes[resolution.status])
  const { identity } = resolution
  if (token !== undefined && isRevoked(token, identity)) throw problem('revoked_credential')
  const expiresAt = Math.min(token?.expiresAt ?? Number.POSITIVE_INFINITY, expiryOf(identity))
  return {
    identity,
    tokenScopes: token?.scopes,
    tokenScope: token?.scope,
    tokenWorkspaceId: token?.workspaceId,
    tokenResource: token?.resource,
    tokenId: token?.tokenId,
    authTime: token?.authTime,
    maxAuthAge: token?.maxAuthAge,
    expiresAt,
  }
}

/**
 * Rejects a token that is restricted to another resource than that of the path (RFC 8707).
 *
 * @throws Problem 401 `invalid_token` that names both
 */
export function requireAudience({ tokenResource }: ResolvedCredential, base: string, path: string): void {
  const resource = resourceOfPath(base, path)
  if (tokenResource === undefined || tokenResource === resource) return
  const detail = `The token is valid only for ${tokenResource}; this address requires the audience ${resource}`
  const challenge = `Bearer error="invalid_token", error_description="${detail}"`
  throw problem('invalid_token', { detail, headers: { 'www-authenticate': challenge } })
}

const rejectionCodes = {
  expired: 'expired_credential',
  revoked: 'revoked_credential',
  unknown: 'invalid_credential',
} as const satisfies Record<Exclude<Resolution['status'], 'active'>, ErrorCode>

const isRevoked = ({ issuedAt, tokenId }: AccessToken, identity: Identity): boolean =>
  (identity.tokens_valid_after !== null && issuedAt < identity.tokens_valid_after) ||
  identity.revoked_token_ids?.includes(tokenId) === true

/** Returns when an identity expires, in milliseconds since 1970; infinite if never. */
export const expiryOf = ({ expires_at }: Identity): number =>
  expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(expires_at)

/** Adds the expiry of the credential and the id of its token to a subject. Only auth needs them. */
export const withCredentialDetails = (subject: Subject, { expiresAt, tokenId }: ResolvedCredential): Subject => ({
  ...subject,
  ...(Number.isFinite(expiresAt) ? { credentialExpiresAt: new Date(expiresAt).toISOString() } : {}),
  ...(tokenId === undefined ? {} : { tokenId }),
})
