import { randomBytes } from 'node:crypto'
import { problem, type RequestCaller } from '@wp/contracts'
import type { Context } from '../context.ts'
import { admitMethod } from '../passkeys/require-passkey.ts'
import { hashSecret } from '../secrets/secret.ts'
import { browserSessionCookie } from '../sign-in/cookies.ts'
import { alertNewDevice } from '../sign-in/sign-in-alert.ts'
import type { Tx } from '../store/client.ts'
import { type BrowserSession, findBrowserSession, insertBrowserSession } from '../store/sessions/browser-sessions.ts'
import { findUserEmail } from '../store/users.ts'

/** A browser stays signed in at the pages of an authorization for this time. */
const browserSessionDays = 7
const secondsPerDay = 86_400

/**
 * Starts the session of a browser in the transaction of the sign-in, with its audit event.
 * @returns the `Set-Cookie` field
 * @param user.deviceToken of the browser; undefined if it is not known
 * @throws Problem `invalid_login` if the user does not exist or is disabled; `passkey_required`
 */
export async function startBrowserSession(
  context: Pick<Context, 'publicBaseUrl' | 'productName' | 'derivedKeys' | 'sealer' | 'now'>,
  tx: Tx,
  { request }: RequestCaller,
  { userId, method, deviceToken }: { userId: string; method: string; deviceToken?: string },
): Promise<string> {
  await admitMethod(tx, { userId, method })
  const token = `wpbs_${randomBytes(32).toString('base64url')}`
  const browser = { userId, method, ip: request?.ip, userAgent: request?.userAgent }
  const sessionId = await insertBrowserSession(tx.query, browser, hashSecret(token), browserSessionDays)
  if (sessionId === undefined) throw problem('invalid_login')
  const targets = [
    { type: 'user', id: userId },
    { type: 'session', id: sessionId },
  ]
  tx.emitAudit({ action: 'user.signed_in', targets, changes: { method } }, { id: userId, type: 'user' })
  const email = await findUserEmail(tx.query, userId)
  await alertNewDevice(context, tx, { sessionId, userId, email, method, userAgent: request?.userAgent, deviceToken })
  return browserSessionCookie(context.publicBaseUrl).set(token, browserSessionDays * secondsPerDay)
}

/** Returns the live session of a browser by its cookie. */
export async function readBrowserSession(
  { publicBaseUrl, database, lastUsed }: Pick<Context, 'publicBaseUrl' | 'database' | 'lastUsed'>,
  cookieHeader: string | undefined,
): Promise<BrowserSession | undefined> {
  const token = browserSessionCookie(publicBaseUrl).read(cookieHeader)
  if (token === undefined) return undefined
  const session = await database.read({ workspaceId: null }, (_db, query) =>
    findBrowserSession(query, hashSecret(token)),
  )
  if (session !== undefined) lastUsed.record(session.sessionId)
  return session
}

/**
 * Returns false for a form that a page of another origin sent (https://www.w3.org/TR/fetch-metadata/). Browsers that do
 * not say so still omit the cookies of such a request (SameSite).
 */
export const isSameOrigin = (headers: { 'sec-fetch-site'?: string }): boolean =>
  (headers['sec-fetch-site'] ?? 'same-origin') === 'same-origin'
