import type { Log } from '@wp/runtime'

export interface Listeners {
  /** @returns a function that removes it */
  add(listener: () => void): () => void
  call(): void
}

/** Those who want to know; one that throws does not keep it from the others. */
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
          log.error({ err: error }, 'a listener failed')
        }
      }
    },
  }
}
