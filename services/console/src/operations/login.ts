import { authSignIn, mailAddress } from '@wp/contracts'
import { z } from 'zod'
import { beginSignIn } from '../session/begin-sign-in.ts'
import { endSession } from '../session/end-session.ts'
import { sessionEndpoint } from './operation.ts'

/** Sends a sign-in mail. Auth's cookie, by which the link of the mail works in this browser only, is passed on. */
export const login = sessionEndpoint({
  method: 'POST',
  path: '/login',
  status: 202,
  body: z.strictObject({ email: mailAddress() }),
  async run(context, browser, { body }) {
    const { redirectUri, codeChallenge, cookie } = await beginSignIn(context, browser)
    const { data, cookies } = await context.platform.signIn({
      endpoint: authSignIn.login,
      body: { email: body.email, redirect_uri: redirectUri, code_challenge: codeChallenge },
      headers: browser.headers,
    })
    return { data, cookies: [cookie, ...cookies] }
  },
})

/** Signs the browser out. Succeeds without a session too. */
export const logout = sessionEndpoint({
  method: 'POST',
  path: '/logout',
  async run(context, { session, headers }) {
    if (session !== undefined) await endSession(context, session, headers)
    return { data: { signed_out: true }, cookies: [context.cookies.session.clear()] }
  },
})
