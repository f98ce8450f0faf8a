import type { Context } from '../context.ts'
import { deleteSession, type SessionRow } from '../store/sessions.ts'
import { openRefreshToken } from './session-tokens.ts'
import { createSystemCaller } from './system-caller.ts'

/**
 * Ends a session, here and at auth. If auth is unavailable, the session is unusable all the same: its tokens are
 * deleted any more.
 */
export async function endSession(
  { config, database, platform, sealer, log }: Pick<Context, 'config' | 'database' | 'platform' | 'sealer' | 'log'>,
  session: SessionRow,
  headers: Record<string, string>,
): Promise<void> {
  const token = openRefreshToken(sealer, session)
  await database.transact(createSystemCaller(config), ({ query }) => deleteSession(query, session.sessionId))
  await platform
    .client(headers)
    .auth.revokeToken({ body: { token } })
    .catch((err: unknown) =>
      log.warn(
        { event: 'session.revocation_failed', err },
        'failed to end the session of a signed-out browser at auth',
      ),
    )
}
