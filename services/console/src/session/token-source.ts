import { ApiError, type Client } from '@wp/client'
import type { SessionTokens } from '@wp/contracts'
import type { Database } from '@wp/database'
import type { Sealer } from '@wp/service'
import { isUnavailable } from '../platform/translate-error.ts'
import { deleteSession, findSession, type SessionRow, storeRefreshedTokens } from '../store/sessions.ts'
import { needsRenewal, type SessionLimits, sessionExpiry } from './lifetime.ts'
import { sessionEnded } from './session-ended.ts'
import { openAccessToken, openRefreshToken, parseSessionTokens, sealTokens } from './session-tokens.ts'
import { createSystemCaller } from './system-caller.ts'

interface Options {
  config: SessionLimits & { SHARD: string; LOCATION: string }
  database: Pick<Database, 'read' | 'transact'>
  sealer: Sealer
  platform: { refreshClient(headers: Record<string, string>): Client }
  now: () => number
}

/** Provides the access tokens of sessions. */
export interface TokenSource {
  /**
   * Returns an access token of the session, a new one if the current one is about to expire.
   * @param headers about the browser, for auth
   * @throws Problem of an ended session; ApiError or the error of `fetch` if auth is unavailable
   */
  current(session: SessionRow, headers: Record<string, string>): Promise<string>
  /** Returns an access token other than the one that the edge rejected. @throws as `current` */
  renew(session: SessionRow, rejected: string, headers: Record<string, string>): Promise<string>
}

/**
 * Creates the source. Requests of one session share a refresh within the process. Replicas may refresh at the same
 * time: within ten seconds auth gives both the same successor, and the later one to write keeps what is stored. Longer
 * than most functions: its steps share the refreshes in flight.
 */
export function createTokenSource({ config, database, sealer, platform, now }: Options): TokenSource {
  const refreshes = new Map<string, Promise<string>>()
  const caller = createSystemCaller(config)

  function refreshOnce(sessionId: string, rejected: string, headers: Record<string, string>): Promise<string> {
    const running = refreshes.get(sessionId)
    if (running !== undefined) return running
    const started = refresh(sessionId, rejected, headers).finally(() => refreshes.delete(sessionId))
    refreshes.set(sessionId, started)
    return started
  }

  /** Reads the row immediately before the refresh, because another replica may have refreshed it. */
  async function refresh(sessionId: string, rejected: string, headers: Record<string, string>): Promise<string> {
    const row = await read(sessionId)
    if (row === undefined) throw sessionEnded()
    const current = openAccessToken(sealer, row)
    if (current !== rejected && !needsRenewal(row.accessExpiresAt, now())) return current
    const tokens = await exchange(row, headers)
    if (tokens === undefined) return await afterRefusal(row)
    const isStored = await database.transact(caller, (tx) =>
      storeRefreshedTokens(tx.query, { read: row, ...sealTokens(sealer, sessionId, tokens), ...expiryOf(row, tokens) }),
    )
    if (isStored) return tokens.access_token
    const stored = await read(sessionId)
    if (stored === undefined) throw sessionEnded()
    return openAccessToken(sealer, stored)
  }

  /** @returns undefined if auth refuses the refresh token */
  async function exchange(row: SessionRow, headers: Record<string, string>): Promise<SessionTokens | undefined> {
    try {
      const body = { refresh_token: openRefreshToken(sealer, row) }
      const response: unknown = await platform.refreshClient(headers).auth.exchangeToken({ body })
      return parseSessionTokens((response as { data?: unknown }).data) // the contract wraps the tokens of a session
    } catch (error) {
      if (error instanceof ApiError && error.code === 'invalid_grant') return undefined
      throw error
    }
  }

  /** The session has ended at auth, unless another replica used the same token before and stored its successor. */
  async function afterRefusal(row: SessionRow): Promise<string> {
    const { sessionId, refreshCount } = row
    const latest = await read(sessionId)
    if (latest !== undefined && latest.refreshCount !== refreshCount) return openAccessToken(sealer, latest)
    await database.transact(caller, (tx) => deleteSession(tx.query, sessionId))
    throw sessionEnded()
  }

  const expiryOf = ({ createdAt }: SessionRow, tokens: SessionTokens) => ({
    accessExpiresAt: new Date(now() + tokens.expires_in * 1_000),
    expiresAt: sessionExpiry(config, {
      createdAt,
      refreshExpiresAt: new Date(tokens.refresh_expires_at),
      now: now(),
    }),
  })

  const read = (sessionId: string) =>
    database.read({ workspaceId: null, principal: { id: sessionId } }, (_, query) =>
      findSession(query, sessionId, new Date(now())),
    )

  return {
    async current(session, headers) {
      const token = openAccessToken(sealer, session)
      if (!needsRenewal(session.accessExpiresAt, now())) return token
      try {
        return await refreshOnce(session.sessionId, token, headers)
      } catch (error) {
        // the token is renewed early, so it may outlast a short outage of auth
        if (isUnavailable(error) && session.accessExpiresAt.getTime() > now()) return token
        throw error
      }
    },
    renew: (session, rejected, headers) => refreshOnce(session.sessionId, rejected, headers),
  }
}
