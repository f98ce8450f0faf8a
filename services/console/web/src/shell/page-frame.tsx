import type { ReactNode } from 'react'
import { SessionDialogs } from '../session/deferred-session-dialogs.tsx'
import { useStore } from '../state/store.ts'
import { isToastWanted } from '../ui/toast.ts'
import { useDeferred } from '../ui/use-deferred.ts'

/** Toasts and the dialogs of the session beside a page. The sign-in page does without, so that it loads less. */
export const PageFrame = ({ children }: { children: ReactNode }) => (
  <>
    {children}
    <Toasts />
    <SessionDialogs />
  </>
)

const loadToasts = () => import('../ui/toast-viewport.tsx')

function Toasts() {
  const loaded = useDeferred(loadToasts, useStore(isToastWanted))
  return loaded && <loaded.ToastViewport />
}
