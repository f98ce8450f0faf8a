import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { pendingStepUp, sessionEnded, useStore } from '../../api/session-state.ts'
import { useDeferred } from '../../ui/menu/deferred.ts'
import { type SessionUser, sessionQuery } from '../session.ts'

const loadDialogs = () => import('./session-dialogs.tsx')

/** The dialogs of the session, which are loaded when one is opened. */
export function SessionDialogs() {
  const hasEnded = useStore(sessionEnded)
  const pending = useStore(pendingStepUp)
  const { data: session } = useQuery(sessionQuery)
  // The session that has ended, also when the query already knows of no other.
  const [user, setUser] = useState<SessionUser>()
  if (!hasEnded && session?.authenticated && session.user !== user) setUser(session.user)
  const dialogs = useDeferred(loadDialogs, hasEnded || pending !== undefined)
  if (dialogs === undefined) return null
  return (
    <>
      <dialogs.StepUpDialog pending={pending} />
      <dialogs.SessionEndedDialog isOpen={hasEnded} user={user} />
    </>
  )
}
