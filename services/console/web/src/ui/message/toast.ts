import type { Toast } from '@base-ui/react/toast'
import { describeError } from '../../api/describe-error.ts'
import { createStore } from '../../api/session-state.ts'

type ToastManager = ReturnType<typeof Toast.createToastManager>

const undoTimeoutMs = 8_000

/** True from the first toast on: the code that shows toasts is loaded then at the latest. */
export const isToastWanted = createStore(false)

let manager: ToastManager | undefined
const waiting: ((manager: ToastManager) => void)[] = []

/** Sets what shows the toasts, and shows those that have waited for it. */
export function provideToastManager(provided: ToastManager): void {
  manager = provided
  for (const use of waiting.splice(0)) use(provided)
}

function withManager(use: (manager: ToastManager) => void): void {
  if (manager !== undefined) use(manager)
  else {
    waiting.push(use)
    isToastWanted.set(true)
  }
}

/** Confirms an action. @param undo reverses it, offered as a button */
export function showSuccess(title: string, undo?: () => void): void {
  withManager(({ add }) => {
    add({ title, type: 'success', ...(undo && { actionProps: { children: 'Undo', onClick: undo } }) })
  })
}

/**
 * Confirms an action that is carried out when the toast closes, so that it can be taken back until then.
 * @returns a function that carries it out at once and closes the toast
 */
export function showUndoable(title: string, { commit, undo }: { commit: () => void; undo: () => void }): () => void {
  let isDecided = false
  let id: string | undefined
  const decide = (action: () => void) => {
    if (isDecided) return
    isDecided = true
    action()
    withManager(({ close }) => close(id))
  }
  withManager(({ add }) => {
    id = add({
      title,
      type: 'success',
      timeout: undoTimeoutMs,
      actionProps: { children: 'Undo', onClick: () => decide(undo) },
      onClose: () => decide(commit),
    })
  })
  return () => decide(commit)
}

/** Reports a failed action that has no place of its own on the page. */
export function showError(error: unknown): void {
  const { title, detail, requestId } = describeError(error)
  const description = [detail, requestId && `Request ${requestId}`].filter(Boolean).join(' · ')
  withManager(({ add }) => {
    add({ title, description, type: 'error', priority: 'high', timeout: 10_000 })
  })
}
