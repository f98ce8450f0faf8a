import type { Client } from '@wp/client'
import type { SessionTokens } from '@wp/contracts'
import { AuthenticationRequiredError, isApiError } from '../errors.ts'
import type { StoredSession } from './credential.ts'

/** A token is refreshed this long before it expires. */
const refreshBeforeMs = 60_000

/** Returns the session to store from a response with its tokens. */
export const toStoredSession = (tokens: SessionTokens, now: number, clientId?: string): StoredSession => ({
  type: 'session',
  access_token: tokens.access_token,
  expires_at_ms: now + tokens.expires_in * 1000,
  refresh_token: tokens.refresh_token,
  ...(clientId === undefined ? {} : { client_id: clientId }),
})

/**
 * Creates a function that returns a valid access token of a session. Concurrent calls share one refresh. Two processes
 * that refresh at the same time get the same tokens.
 *
 * @param client calls the token endpoint, without a credential
 * @param store keeps refreshed tokens
 */
export function createTokenSource(
  session: StoredSession,
  client: Client,
  store: (session: StoredSession) => Promise<void>,
  now: () => number,
): () => Promise<string> {
  let current = session
  let refreshing: Promise<string> | undefined

  async function refresh(): Promise<string> {
    current = await requestTokens(current, client, now)
    await store(current)
    return current.access_token
  }

  return async () => {
    if (current.expires_at_ms - refreshBeforeMs > now()) return current.access_token
    refreshing ??= refresh().finally(() => {
      refreshing = undefined
    })
    return refreshing
  }
}

async function requestTokens(session: StoredSession, client: Client, now: () => number): Promise<StoredSession> {
  const { refresh_token, client_id } = session
  try {
    const response = await client.auth.exchangeToken({
      body: { refresh_token, ...(client_id === undefined ? {} : { client_id }) },
    })
    if (!('data' in response)) throw new Error('the response to the refresh contains no session')
    return toStoredSession(response.data, now(), client_id)
  } catch (error) {
    if (!isApiError(error) || (error.status !== 401 && error.code !== 'invalid_grant')) throw error
    throw new AuthenticationRequiredError('the session has ended; sign in again: wp login', { cause: error })
  }
}
