import { authSignIn, deviceCookieName, PasskeyAssertion, problem } from '@wp/contracts'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { callAsUser } from '../session/call-as-user.ts'
import { codeVerifierOf, generateCookieSecret, hashCookieSecret } from '../session/cookies.ts'
import { endSession } from '../session/end-session.ts'
import { deviceCookieSeconds, sessionCookieSeconds } from '../session/lifetime.ts'
import type { Browser } from '../session/read-browser.ts'
import { createSessionRow, parseSessionTokens } from '../session/session-tokens.ts'
import { createSystemCaller } from '../session/system-caller.ts'
import { isPendingSignIn } from '../store/pending-sign-ins.ts'
import { insertSession } from '../store/sessions.ts'
import { toSessionView } from '../views.ts'
import { sessionEndpoint } from './operation.ts'

/** Any text: auth reports a malformed value like a wrong one. */
const secret = z.string().min(1).max(200)
const Verification = z.union([
  z.strictObject({ login_id: secret, code: secret }),
  z.strictObject({ login_code: secret }),
  z.strictObject({ passkey: PasskeyAssertion }),
])

/**
 * Signs the user in with the code of the mail, with the code of the redirect that came back to this browser, or with a
 * passkey. Every sign-in has a new cookie, and ends the session that the browser had before. The verifier is kept until
 * it expires, because another tab may still complete a sign-in; auth accepts each code and each challenge once.
 */
export const verify = sessionEndpoint({
  method: 'POST',
  path: '/verify',
  body: Verification,
  async run(context, browser, { body }) {
    const { cookies, config, database, now } = context
    const proof = 'login_id' in body ? body : { ...body, code_verifier: await requireVerifier(context, browser) }
    const deviceSecret = browser.deviceSecret ?? generateCookieSecret()
    const { data, cookies: authCookies } = await context.platform.signIn({
      endpoint: authSignIn.verify,
      body: { ...proof, step_up: true },
      headers: { ...browser.headers, cookie: `${authDeviceCookie(config)}=${deviceSecret}` },
    })
    const cookieSecret = generateCookieSecret()
    const session = createSessionRow(context, parseSessionTokens(data), cookieSecret)
    await database.transact(createSystemCaller(config), ({ query }) => insertSession(query, session))
    if (browser.session !== undefined) await endSession(context, browser.session, browser.headers)
    const profile = await callAsUser(context, session, browser.headers, (client) => client.auth.me())
    return {
      data: await toSessionView(context, session, profile),
      cookies: [
        cookies.session.set(cookieSecret, sessionCookieSeconds(config, { ...session, now: now() })),
        cookies.device.set(deviceSecret, deviceCookieSeconds),
        ...authCookies,
      ],
    }
  },
})

const authDeviceCookie = ({ PUBLIC_BASE_URL }: { PUBLIC_BASE_URL: string }): string =>
  PUBLIC_BASE_URL.startsWith('https:') ? deviceCookieName.secure : deviceCookieName.plain

/**
 * Returns the verifier to which the code of a redirect, or the challenge of a passkey, was bound.
 * @throws Problem `invalid_login` if this browser has not begun a sign-in, or too long ago
 */
async function requireVerifier(
  { database, now }: Pick<Context, 'database' | 'now'>,
  { signInSecret }: Pick<Browser, 'signInSecret'>,
): Promise<string> {
  const cookieHash = signInSecret === undefined ? undefined : hashCookieSecret(signInSecret)
  const isPending =
    cookieHash !== undefined &&
    (await database.read({ workspaceId: null, principal: { id: cookieHash } }, (_, query) =>
      isPendingSignIn(query, cookieHash, new Date(now())),
    ))
  if (signInSecret === undefined || !isPending)
    throw problem('invalid_login', { detail: 'The sign-in was not begun in this browser; sign in again here' })
  return codeVerifierOf(signInSecret)
}
