/** Resolves after so many milliseconds, or as soon as the signal is aborted. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end)
  })
}

/** Waits for the work, but no longer than so many milliseconds; what it comes to is not reported. */
export async function waitAtMost(ms: number, work: Promise<unknown>): Promise<void> {
  const over = new AbortController()
  const settled = work.then(
    () => over.abort(),
    () => over.abort(),
  )
  await Promise.race([settled, pause(ms, over.signal)])
}
