import { Problem, problem } from '@wp/contracts'

const detail = 'The session has ended; sign in again'

/** Creates the error for a browser whose session has ended. Its cookie is cleared. */
export const sessionEnded = () => new SessionEnded('invalid_credential', { detail })

/** Creates the error for a browser without a session. */
export const signInRequired = () => problem('missing_credential', { detail: 'Sign in to the console' })

/** Returns true if a request failed because the browser's session has ended. */
export const isSessionEnded = (error: unknown): boolean => error instanceof SessionEnded

class SessionEnded extends Problem {}
