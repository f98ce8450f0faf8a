import { callAsUser } from '../session/call-as-user.ts'
import { requireSession } from '../session/require-session.ts'
import { sessionEndpoint } from './operation.ts'

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
