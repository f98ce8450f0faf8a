import { PasskeyAssertion } from '@wp/contracts'
import { z } from 'zod'
import { callAsUser } from '../session/call-as-user.ts'
import { generateCookieSecret, hashCookieSecret } from '../session/cookies.ts'
import { sessionCookieSeconds } from '../session/lifetime.ts'
import { requireSession } from '../session/read-browser.ts'
import { sessionEnded } from '../session/session-ended.ts'
import { sealAccessToken } from '../session/session-tokens.ts'
import { createSystemCaller } from '../session/system-caller.ts'
import { storeReauthentication } from '../store/sessions.ts'
import { toSessionView } from '../views.ts'
import { sessionEndpoint } from './operation.ts'

/** Any text: auth reports a malformed value like a wrong one. */
const Reauthentication = z.union([
  z.strictObject({ login_id: z.string().min(1).max(100), code: z.string().min(1).max(32) }),
  z.strictObject({ passkey: PasskeyAssertion }),
])

/**
 * Re-authenticates the user of the session. The session gets a new cookie, as at a sign-in: who had a copy of the old
 * one must not gain what the proof permits.
 */
export const verifyReauthentication = sessionEndpoint({
  method: 'POST',
  path: '/reauthentication/verify',
  body: Reauthentication,
  async run(context, browser, { body }) {
    const { cookies, config, database, sealer, now } = context
    const { headers } = browser
    const session = requireSession(browser)
    const { sessionId } = session
    const token = await callAsUser(context, session, headers, (client) => client.auth.verifyReauthentication({ body }))
    const cookieSecret = generateCookieSecret()
    const stored = {
      sessionId,
      cookieHash: hashCookieSecret(cookieSecret),
      sealedAccessToken: sealAccessToken(sealer, sessionId, token.access_token),
      accessExpiresAt: new Date(now() + token.expires_in * 1_000),
      authenticatedAt: new Date(token.auth_time * 1_000),
    }
    const isLive = await database.transact(createSystemCaller(config), ({ query }) =>
      storeReauthentication(query, stored),
    )
    if (!isLive) throw sessionEnded()
    const current = { ...session, ...stored }
    const profile = await callAsUser(context, current, headers, (client) => client.auth.me())
    return {
      data: await toSessionView(context, current, profile),
      cookies: [cookies.session.set(cookieSecret, sessionCookieSeconds(config, { ...session, now: now() }))],
    }
  },
})

/** Sends a mail with a code to the signed-in user's own address, for a re-authentication. */
export const startReauthentication = sessionEndpoint({
  method: 'POST',
  path: '/reauthentication',
  status: 202,
  async run(context, browser) {
    const session = requireSession(browser)
    return {
      data: await callAsUser(context, session, browser.headers, (client) => client.auth.startReauthentication()),
    }
  },
})
