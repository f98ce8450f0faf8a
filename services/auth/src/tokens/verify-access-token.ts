import { createLocalJWKSet, jwtVerify } from 'jose'
import type { TokenIssuer } from './access-token.ts'

/** Claims of a valid access token of this platform. */
export interface VerifiedAccessToken {
  principalId: string
  tokenId: string
  /** The client it was issued to. */
  clientId: string | undefined
  /** Undefined for the token of a service principal. */
  sessionId: string | undefined
  expiresAt: Date
}

/** Verifies an access token of this platform. @returns undefined for an invalid or expired token */
export async function verifyAccessToken(
  { publicBaseUrl, signingKeys, now }: TokenIssuer,
  token: string,
): Promise<VerifiedAccessToken | undefined> {
  const verified = await jwtVerify(token, createLocalJWKSet({ keys: signingKeys.published() }), {
    algorithms: ['ES256'],
    typ: 'at+jwt',
    issuer: publicBaseUrl,
    requiredClaims: ['sub', 'exp', 'jti'],
    currentDate: new Date(now()),
  }).catch(() => undefined)
  const { sub, jti, exp, sid, client_id: clientId } = verified?.payload ?? {}
  if (sub === undefined || jti === undefined || exp === undefined) return undefined
  return {
    principalId: sub,
    tokenId: jti,
    clientId: typeof clientId === 'string' ? clientId : undefined,
    sessionId: typeof sid === 'string' ? sid : undefined,
    expiresAt: new Date(exp * 1000),
  }
}
