import type { ReactNode } from 'react'
import { useStore } from '../api/session-state.ts'
import { SessionDialogs } from '../session/sign-in/deferred-session-dialogs.tsx'
import { useDeferred } from '../ui/menu/deferred.ts'
import { isToastWanted } from '../ui/message/toast.ts'
import { OfflineNotice } from './offline/offline-notice.tsx'

/** Toasts and the dialogs of the session beside a page. The sign-in page does without, so that it loads less. */
export const PageFrame = ({ children }: { children: ReactNode }) => (
  <>
    {children}
    <OfflineNotice />
    <Toasts />
    <SessionDialogs />
  </>
)

const loadToasts = () => import('../ui/message/toast-viewport.tsx')

function Toasts() {
  const loaded = useDeferred(loadToasts, useStore(isToastWanted))
  return loaded && <loaded.ToastViewport />
}
