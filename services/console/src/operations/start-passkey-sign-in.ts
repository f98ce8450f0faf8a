import { authPasskeys } from '@wp/contracts'
import { z } from 'zod'
import { beginSignIn } from '../session/begin-sign-in.ts'
import { sessionEndpoint } from './operation.ts'

/** Returns the options of a sign-in by passkey, whose challenge only this browser can answer. */
export const startPasskeySignIn = sessionEndpoint({
  method: 'POST',
  path: '/passkey',
  async run(context, browser) {
    const { codeChallenge, cookie } = await beginSignIn(context, browser)
    const { data } = await context.platform.signIn({
      endpoint: authPasskeys.startPasskeyLogin,
      body: { code_challenge: codeChallenge },
      headers: browser.headers,
    })
    return { data, cookies: [cookie] }
  },
})

/** Any text: auth reports a malformed value like a wrong one. */
const Recovery = z.strictObject({ login_id: z.string().min(1).max(100), code: z.string().min(1).max(64) })

/** Requests the recovery of an account whose passkeys are lost. */
export const startRecovery = sessionEndpoint({
  method: 'POST',
  path: '/recovery',
  body: Recovery,
  async run({ platform }, { headers }, { body }) {
    return { data: (await platform.signIn({ endpoint: authPasskeys.startPasskeyRecovery, body, headers })).data }
  },
})
