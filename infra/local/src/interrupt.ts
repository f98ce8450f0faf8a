/** One Ctrl-C arrives up to three times: from the terminal, from npm and from the bootstrap script. */
const duplicateSignalMs = 500

/**
 * Returns a signal that SIGINT, SIGTERM or SIGHUP aborts. A second signal ends the process at once; the servers it
 * started end with it.
 */
export function onInterrupt(print: (line: string) => void): AbortSignal {
  const controller = new AbortController()
  let firstSignalAt: number | undefined
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (firstSignalAt === undefined) {
        firstSignalAt = performance.now()
        controller.abort(new Interrupted())
      } else if (performance.now() - firstSignalAt > duplicateSignalMs) {
        print('stopped without draining')
        process.exit(130)
      }
    })
  return controller.signal
}

/** The reason with which the signal of `onInterrupt` is aborted. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
}

/** Resolves when the signal is aborted. */
export function waitForAbort(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
