/** Resolves to the reason of a signal once it is aborted, which it may already be. Never resolves without a signal. */
export const untilAborted = (signal: AbortSignal | undefined): Promise<unknown> =>
  new Promise((resolve) => {
    if (signal?.aborted) resolve(signal.reason)
    else signal?.addEventListener('abort', () => resolve(signal.reason), { once: true })
  })
