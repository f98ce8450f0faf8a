import { Problem, problem } from '@wp/contracts'
import type { SessionRow } from '../store/sessions.ts'
import type { Browser } from './read-browser.ts'

/** Returns the session of a browser. @throws Problem `missing_credential`, or that the session has ended */
export function requireSession({
  session,
  hasSessionCookie,
}: Pick<Browser, 'session' | 'hasSessionCookie'>): SessionRow {
  if (session !== undefined) return session
  throw hasSessionCookie ? sessionEnded() : signInRequired()
}

const detail = 'The session has ended; sign in again'

/** Creates the error for a browser whose session has ended. Its cookie is cleared. */
export const sessionEnded = () => new SessionEnded('invalid_credential', { detail })

/** Creates the error for a browser without a session. */
export const signInRequired = () => problem('missing_credential', { detail: 'Sign in to the console' })

/** Returns true if a request failed because the browser's session has ended. */
export const isSessionEnded = (error: unknown): boolean => error instanceof SessionEnded

class SessionEnded extends Problem {}
