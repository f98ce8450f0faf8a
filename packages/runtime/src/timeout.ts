/**
 * Waits until the work has settled, but at most `ms` milliseconds. The result of the work, or its error, is discarded.
 *
 * @returns true if the work settled in time
 */
export async function waitAtMost(ms: number, work: Promise<unknown>): Promise<boolean> {
  const over = new AbortController()
  let isSettled = false
  const settled = work
    .then(
      () => {},
      () => {},
    )
    .then(() => {
      isSettled = true
      over.abort()
    })
  await Promise.race([settled, pause(ms, over.signal)])
  return isSettled
}

/**
 * Returns the result of the work, or rejects with `createError()` once `ms` milliseconds have passed. The work itself
 * is not cancelled; a later failure of it is discarded.
 */
export async function withTimeout<T>(ms: number, work: Promise<T>, createError: () => Error): Promise<T> {
  const { promise: timedOut, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(createError()), ms)
  try {
    return await Promise.race([work, timedOut])
  } finally {
    clearTimeout(timer)
  }
}

/** Resolves after `ms` milliseconds, or as soon as the signal is aborted. Never rejects. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const finish = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', finish)
      resolve()
    }
    const timer = setTimeout(finish, ms)
    signal?.addEventListener('abort', finish)
  })
}
