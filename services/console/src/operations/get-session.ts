import { callAsUser } from '../session/call-as-user.ts'
import { isSessionEnded } from '../session/session-ended.ts'
import { toAnonymousView, toSessionView } from '../views.ts'
import { sessionEndpoint } from './operation.ts'

/** Returns the session of the browser. A session that has ended at auth is no error: the app then shows the sign-in. */
export const getSession = sessionEndpoint({
  method: 'GET',
  path: '',
  async run(context, { session, hasSessionCookie, headers }) {
    const anonymous = async () => ({
      data: await toAnonymousView(context),
      ...(hasSessionCookie ? { cookies: [context.cookies.session.clear()] } : {}),
    })
    if (session === undefined) return await anonymous()
    try {
      const profile = await callAsUser(context, session, headers, (client) => client.auth.me())
      return { data: await toSessionView(context, session, profile) }
    } catch (error) {
      if (!isSessionEnded(error)) throw error
      return await anonymous()
    }
  },
})
