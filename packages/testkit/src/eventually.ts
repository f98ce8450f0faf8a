export type EventuallyOptions = {
  /** Time limit; default 120,000: it ends a test that hangs, and is no measurement. */
  timeoutMs?: number
  /** Pause between the first checks; default 20. It grows with the time that has passed, up to five times as much. */
  intervalMs?: number
  /**
   * A description of the condition, for the error; a function is called when the time is over. Default `the condition`.
   */
  description?: string | (() => string)
}

/** Share of the time already waited by which a pause may delay the end of the wait. */
const delayShare = 0.03

/**
 * Polls until a check succeeds, for conditions in another process that can only be polled. `false`, `null`, `undefined`
 * and a thrown error mean "not yet". Returns the first other value.
 *
 * @throws Error after the time limit, with the description, and the last error as its cause
 */
export async function eventually<T extends NonNullable<unknown>>(
  check: () => T | false | null | undefined | Promise<T | false | null | undefined>,
  { timeoutMs = 120_000, intervalMs = 20, description = 'the condition' }: EventuallyOptions = {},
): Promise<T> {
  const startedAt = performance.now()
  for (;;) {
    let cause: unknown
    try {
      const result = await check()
      if (result !== false && result !== null && result !== undefined) return result
    } catch (error) {
      cause = error
    }
    const waitedMs = performance.now() - startedAt
    if (waitedMs >= timeoutMs) {
      const reason = cause instanceof Error ? `: ${cause.message}` : ''
      const waitedFor = typeof description === 'function' ? description() : description
      throw new Error(`timed out after ${timeoutMs} ms waiting for ${waitedFor}${reason}`, { cause })
    }
    // A check is often a request, which takes the processor from what is waited for.
    const pauseMs = Math.max(intervalMs, Math.min(waitedMs * delayShare, 5 * intervalMs))
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}
