/** One press of Ctrl-C reaches us up to three times: from the terminal, from npm, and from the bootstrap. */
const duplicateSignalMs = 500

/**
 * The wish to stop: SIGINT, SIGTERM or SIGHUP. A second press ends the process at once; the servers it started end
 * with it.
 */
export function onInterrupt(say: (line: string) => void): AbortSignal {
  const controller = new AbortController()
  let firstSignalAt: number | undefined
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (firstSignalAt === undefined) {
        firstSignalAt = performance.now()
        controller.abort(new Interrupted())
      } else if (performance.now() - firstSignalAt > duplicateSignalMs) {
        say('ended without waiting')
        process.exit(130)
      }
    })
  return controller.signal
}

/** Somebody stopped it on purpose. */
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
