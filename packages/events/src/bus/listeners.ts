import type { Log } from '@wp/runtime'

export interface Listeners {
  /** @returns a function that removes it */
  add(listener: () => void): () => void
  call(): void
}

/** Creates a set of listeners. An error of one listener is logged and does not affect the others. */
export function createListeners(log: Log): Listeners {
  const listeners = new Set<() => void>()
  return {
    add(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    call() {
      for (const listener of [...listeners]) {
        try {
          listener()
        } catch (error) {
          log.error({ event: 'listener.failed', err: error }, 'listener failed')
        }
      }
    },
  }
}
