import { Tooltip } from '@base-ui/react/tooltip'
import type { ReactNode } from 'react'
import { SessionEndedDialog, StepUpDialog } from '../session/session-dialogs.tsx'
import { ToastProvider } from '../ui/toast.tsx'

const tooltipDelayMs = 400

/** Tooltips, toasts and the dialogs of the session around a page. The sign-in page does without, so that it loads less. */
export const PageFrame = ({ children }: { children: ReactNode }) => (
  <Tooltip.Provider delay={tooltipDelayMs}>
    <ToastProvider>
      {children}
      <StepUpDialog />
      <SessionEndedDialog />
    </ToastProvider>
  </Tooltip.Provider>
)
