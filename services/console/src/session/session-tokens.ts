import { randomUUID } from 'node:crypto'
import { SessionTokens } from '@wp/contracts'
import type { Sealer } from '@wp/service'
import { tokenAssociatedData } from '../store/sealed-sessions.ts'
import type { SessionRow } from '../store/sessions.ts'
import { hashCookieSecret } from './cookies.ts'
import { type SessionLimits, sessionExpiry } from './lifetime.ts'

/** Seals the tokens of a session. */
export const sealTokens = (sealer: Sealer, sessionId: string, tokens: SessionTokens) => ({
  sealedAccessToken: sealAccessToken(sealer, sessionId, tokens.access_token),
  sealedRefreshToken: sealer.seal(tokens.refresh_token, tokenAssociatedData(sessionId, 'refresh')),
})

export const sealAccessToken = (sealer: Sealer, sessionId: string, token: string): string =>
  sealer.seal(token, tokenAssociatedData(sessionId, 'access'))

export const openAccessToken = (sealer: Sealer, session: SessionRow): string =>
  sealer.open(session.sealedAccessToken, tokenAssociatedData(session.sessionId, 'access'))

export const openRefreshToken = (sealer: Sealer, session: SessionRow): string =>
  sealer.open(session.sealedRefreshToken, tokenAssociatedData(session.sessionId, 'refresh'))

/** Parses the tokens in a response of auth. @throws if the response has none */
export const parseSessionTokens = (data: unknown): SessionTokens => SessionTokens.parse(data)

/** Creates the row of a new session, whose cookie has the given secret. */
export function createSessionRow(
  { sealer, config, now }: { sealer: Sealer; config: SessionLimits; now: () => number },
  tokens: SessionTokens,
  cookieSecret: string,
): SessionRow {
  const sessionId = randomUUID()
  const createdAt = new Date(now())
  return {
    sessionId,
    cookieHash: hashCookieSecret(cookieSecret),
    userId: tokens.user.user_id,
    ...sealTokens(sealer, sessionId, tokens),
    refreshCount: 0,
    accessExpiresAt: new Date(now() + tokens.expires_in * 1_000),
    authenticatedAt: createdAt,
    createdAt,
    expiresAt: sessionExpiry(config, {
      createdAt,
      refreshExpiresAt: new Date(tokens.refresh_expires_at),
      now: now(),
    }),
  }
}
