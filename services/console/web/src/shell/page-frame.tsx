import type { ReactNode } from 'react'
import { SessionDialogs } from '../session/sign-in/deferred-session-dialogs.tsx'
import { useStore } from '../state/store.ts'
import { useDeferred } from '../ui/menu/use-deferred.ts'
import { isToastWanted } from '../ui/message/toast.ts'

/** Toasts and the dialogs of the session beside a page. The sign-in page does without, so that it loads less. */
export const PageFrame = ({ children }: { children: ReactNode }) => (
  <>
    {children}
    <Toasts />
    <SessionDialogs />
  </>
)

const loadToasts = () => import('../ui/message/toast-viewport.tsx')

function Toasts() {
  const loaded = useDeferred(loadToasts, useStore(isToastWanted))
  return loaded && <loaded.ToastViewport />
}
