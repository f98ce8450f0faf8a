import { createLocalJWKSet, jwtVerify } from 'jose'
import type { Context } from '../context.ts'

/** An access token that we issued and that has not ended. */
export interface VerifiedAccessToken {
  principalId: string
  tokenId: string
  /** Undefined for a machine's. */
  sessionId: string | undefined
  expiresAt: Date
}

/** Reads an access token of ours; undefined for whatever else, one that has ended among it. */
export async function verifyAccessToken(
  { publicBaseUrl, signingKeys, now }: Pick<Context, 'publicBaseUrl' | 'signingKeys' | 'now'>,
  token: string,
): Promise<VerifiedAccessToken | undefined> {
  const verified = await jwtVerify(token, createLocalJWKSet({ keys: signingKeys.published() }), {
    algorithms: ['ES256'],
    typ: 'at+jwt',
    issuer: publicBaseUrl,
    requiredClaims: ['sub', 'exp', 'jti'],
    currentDate: new Date(now()),
  }).catch(() => undefined)
  const { sub, jti, exp, sid } = verified?.payload ?? {}
  if (sub === undefined || jti === undefined || exp === undefined) return undefined
  return {
    principalId: sub,
    tokenId: jti,
    sessionId: typeof sid === 'string' ? sid : undefined,
    expiresAt: new Date(exp * 1000),
  }
}
