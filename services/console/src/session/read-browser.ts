import type { IncomingMessage } from 'node:http'
import type { SiteRequestContext } from '@wp/service'
import type { Context } from '../context.ts'
import { findSessionByCookie, type SessionRow } from '../store/sessions.ts'
import { hashCookieSecret } from './cookies.ts'
import { sessionEnded, signInRequired } from './session-ended.ts'

/** The browser of a request. */
export interface Browser {
  /** The live session of its cookie. */
  session: SessionRow | undefined
  /** True if it sent a session cookie, whether or not the session is live. */
  hasSessionCookie: boolean
  /** Value of the cookie of its pending sign-in. */
  signInSecret: string | undefined
  /** Value of the cookie that names it. */
  deviceSecret: string | undefined
  /** Headers about it, for calls of the platform. */
  headers: Record<string, string>
}

/** Finds the session of a request by its cookie. */
export async function readBrowser(
  { cookies, database, browserHeaders, now }: Pick<Context, 'cookies' | 'database' | 'browserHeaders' | 'now'>,
  { headers }: IncomingMessage,
  site: SiteRequestContext,
): Promise<Browser> {
  const sessionSecret = cookies.session.read(headers.cookie)
  const cookieHash = sessionSecret === undefined ? undefined : hashCookieSecret(sessionSecret)
  const session =
    cookieHash === undefined
      ? undefined
      : await database.read({ workspaceId: null, principal: { id: cookieHash } }, (_, query) =>
          findSessionByCookie(query, cookieHash, new Date(now())),
        )
  return {
    session,
    hasSessionCookie: sessionSecret !== undefined,
    signInSecret: cookies.pendingSignIn.read(headers.cookie),
    deviceSecret: cookies.device.read(headers.cookie),
    headers: await browserHeaders(site, headers),
  }
}

/** Returns the session of a browser. @throws Problem `missing_credential`, or that the session has ended */
export function requireSession({
  session,
  hasSessionCookie,
}: Pick<Browser, 'session' | 'hasSessionCookie'>): SessionRow {
  if (session !== undefined) return session
  throw hasSessionCookie ? sessionEnded() : signInRequired()
}
