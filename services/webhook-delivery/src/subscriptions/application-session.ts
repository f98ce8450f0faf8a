import type { Caller } from '@wp/contracts'
import type { ApplicationSession } from '../store/subscriptions/dependent-subscriptions.ts'

/** Returns the session of the application that acts for a user; null for every other caller. */
export const applicationSessionOf = ({ principal, credentialId, clientId }: Caller): ApplicationSession | null =>
  clientId === undefined ? null : { userId: principal.id, clientId, sessionId: credentialId }
