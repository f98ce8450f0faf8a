import { useSyncExternalStore } from 'react'

/** A value outside React that components subscribe to. */
export interface Store<Value> {
  get(): Value
  set(value: Value): void
  subscribe(listener: () => void): () => void
}

/** Creates a store. */
export function createStore<Value>(initial: Value): Store<Value> {
  let value = initial
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set(next) {
      value = next
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Returns the value of a store, and renders again when it changes. */
export const useStore = <Value>(store: Store<Value>): Value => useSyncExternalStore(store.subscribe, store.get)

/** True after a call was refused because the session has ended; the page stays, below a sign-in dialog. */
export const sessionEnded = createStore(false)

/** Reports a call that was refused for want of a session. */
export const notifySessionEnded = (): void => sessionEnded.set(true)

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
