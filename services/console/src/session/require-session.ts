import type { SessionRow } from '../store/sessions.ts'
import type { Browser } from './read-browser.ts'
import { sessionEnded, signInRequired } from './session-ended.ts'

/** Returns the session of a browser. @throws Problem `missing_credential`, or that the session has ended */
export function requireSession({
  session,
  hasSessionCookie,
}: Pick<Browser, 'session' | 'hasSessionCookie'>): SessionRow {
  if (session !== undefined) return session
  throw hasSessionCookie ? sessionEnded() : signInRequired()
}
