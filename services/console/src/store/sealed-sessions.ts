import type { Database, Row } from '@wp/database'
import type { SealedStore } from '@wp/service'
import type { Session } from '#db'

type SealedTokens = Row<Session, 'sessionId' | 'sealedAccessToken' | 'sealedRefreshToken'>

const hasPrefix = '(starts_with(sealed_access_token, $1) OR starts_with(sealed_refresh_token, $1))'

/** Lower than every identifier. */
const nilUuid = '00000000-0000-0000-0000-000000000000'

/** Returns the associated data of a session's sealed token. */
export const tokenAssociatedData = (sessionId: string, kind: 'access' | 'refresh'): string =>
  `${sessionId}/${kind}-token`

/** The sealed tokens of all sessions, for key rotation. */
export const sealedSessions = (pool: Database['worker']): SealedStore<SealedTokens> => ({
  name: 'sessions',
  async findSealedWith(prefix, after, limit) {
    const { rows } = await pool.query<SealedTokens>(
      `SELECT session_id, sealed_access_token, sealed_refresh_token FROM sessions
       WHERE ${hasPrefix} AND session_id > $2 ORDER BY session_id LIMIT $3`,
      [prefix, after?.sessionId ?? nilUuid, limit],
    )
    return rows
  },
  sealedValues: ({ sessionId: id, sealedAccessToken: access, sealedRefreshToken: refresh }) => [
    { sealed: access, associatedData: tokenAssociatedData(id, 'access') },
    { sealed: refresh, associatedData: tokenAssociatedData(id, 'refresh') },
  ],
  async updateSealed(row, [access, refresh]) {
    await pool.query(
      `UPDATE sessions SET sealed_access_token = $4, sealed_refresh_token = $5
       WHERE session_id = $1 AND sealed_access_token = $2 AND sealed_refresh_token = $3`,
      [row.sessionId, row.sealedAccessToken, row.sealedRefreshToken, access, refresh],
    )
  },
  async countSealedWith(prefix) {
    const text = `SELECT count(*)::int AS count FROM sessions WHERE ${hasPrefix}`
    const { rows } = await pool.query<{ count: number }>(text, [prefix])
    return rows[0]?.count ?? 0
  },
})
