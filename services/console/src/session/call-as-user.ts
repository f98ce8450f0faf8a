import { ApiError, type Client } from '@wp/client'
import type { Context } from '../context.ts'
import type { SessionRow } from '../store/sessions.ts'

/** The codes by which the edge rejects an access token that another one can replace. */
const renewableCodes: ReadonlySet<string> = new Set(['invalid_credential', 'expired_credential', 'revoked_credential'])

/** Returns true if a request was rejected for its access token, so that it may succeed with a new one. */
export const isRejectedToken = (status: number, code: unknown): boolean =>
  status === 401 && typeof code === 'string' && renewableCodes.has(code)

/**
 * Calls the platform in the name of the session's user. A rejected access token is renewed and the call repeated once.
 * @throws Problem of an ended session; whatever the call throws
 */
export async function callAsUser<T>(
  { tokens, platform }: Pick<Context, 'tokens' | 'platform'>,
  session: SessionRow,
  headers: Record<string, string>,
  call: (client: Client) => Promise<T>,
): Promise<T> {
  const token = await tokens.current(session, headers)
  try {
    return await call(platform.client(headers, token))
  } catch (error) {
    if (!(error instanceof ApiError && isRejectedToken(error.status, error.code))) throw error
    const renewed = await tokens.renew(session, token, headers)
    return await call(platform.client(headers, renewed))
  }
}
