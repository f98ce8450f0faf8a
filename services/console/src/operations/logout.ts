import { endSession } from '../session/end-session.ts'
import { sessionEndpoint } from './operation.ts'

/** Signs the browser out. Succeeds without a session too. */
export const logout = sessionEndpoint({
  method: 'POST',
  path: '/logout',
  async run(context, { session, headers }) {
    if (session !== undefined) await endSession(context, session, headers)
    return { data: { signed_out: true }, cookies: [context.cookies.session.clear()] }
  },
})
