import { createStore } from './store.ts'

/** A question for a recent sign-in. */
export interface PendingStepUp {
  /** Ends the question. @param isConfirmed the person signed in again */
  finish: (isConfirmed: boolean) => void
}

/** The open question for a recent sign-in, which the step-up dialog shows. */
export const pendingStepUp = createStore<PendingStepUp | undefined>(undefined)

let inProgress: Promise<boolean> | undefined

/**
 * Asks the person to confirm by a code. Calls at the same time share one question. @returns false if it was cancelled
 */
export function requestStepUp(): Promise<boolean> {
  inProgress ??= new Promise<boolean>((resolve) => pendingStepUp.set({ finish: resolve })).finally(() => {
    inProgress = undefined
    pendingStepUp.set(undefined)
  })
  return inProgress
}
