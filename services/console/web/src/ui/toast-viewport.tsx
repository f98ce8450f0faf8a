import { Toast } from '@base-ui/react/toast'
import type { ReactNode } from 'react'
import { describeError } from '../api/describe-error.ts'
import { Button, IconButton } from './button.tsx'
import { Icon } from './icon.tsx'
import styles from './toast.module.css'

const undoTimeoutMs = 8_000
const manager = Toast.createToastManager()

/** Confirms an action. @param undo reverses it, offered as a button */
export function showSuccess(title: string, undo?: () => void): void {
  manager.add({ title, type: 'success', ...(undo && { actionProps: { children: 'Undo', onClick: undo } }) })
}

/**
 * Confirms an action that is carried out when the toast closes, so that it can be taken back until then.
 * @returns a function that carries it out at once and closes the toast
 */
export function showUndoable(title: string, { commit, undo }: { commit: () => void; undo: () => void }): () => void {
  let isDecided = false
  const decide = (action: () => void) => {
    if (isDecided) return
    isDecided = true
    action()
    manager.close(id)
  }
  const id = manager.add({
    title,
    type: 'success',
    timeout: undoTimeoutMs,
    actionProps: { children: 'Undo', onClick: () => decide(undo) },
    onClose: () => decide(commit),
  })
  return () => decide(commit)
}

/** Reports a failed action that has no place of its own on the page. */
export function showError(error: unknown): void {
  const { title, detail, requestId } = describeError(error)
  const description = [detail, requestId && `Request ${requestId}`].filter(Boolean).join(' · ')
  manager.add({ title, description, type: 'error', priority: 'high', timeout: 10_000 })
}

/** Provides the place where toasts appear. */
export const ToastProvider = ({ children }: { children: ReactNode }) => (
  <Toast.Provider toastManager={manager}>
    {children}
    <Toast.Portal>
      <Toast.Viewport className={styles.viewport}>
        <ToastList />
      </Toast.Viewport>
    </Toast.Portal>
  </Toast.Provider>
)

function ToastList() {
  const { toasts } = Toast.useToastManager()
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className={styles.toast}>
      <div className={styles.text}>
        <Toast.Title className={styles.title} render={<div />} />
        <Toast.Description className={styles.description} render={<div />} />
        <Toast.Action render={<Button size="small" />} />
      </div>
      <Toast.Close
        render={
          <IconButton label="Dismiss" variant="quiet" size="small">
            <Icon name="close" size={14} />
          </IconButton>
        }
      />
    </Toast.Root>
  ))
}
