export type EventuallyOptions = {
  /** Time limit; default 120,000: it ends a test that hangs, and is no measurement. */
  timeoutMs?: number
  /** Pause between two checks; default 20. */
  intervalMs?: number
  /**
   * A description of the condition, for the error; a function is called when the time is over. Default `the condition`.
   */
  description?: string | (() => string)
}

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
  const deadline = performance.now() + timeoutMs
  for (;;) {
    let cause: unknown
    try {
      const result = await check()
      if (result !== false && result !== null && result !== undefined) return result
    } catch (error) {
      cause = error
    }
    if (performance.now() >= deadline) {
      const reason = cause instanceof Error ? `: ${cause.message}` : ''
      const waitedFor = typeof description === 'function' ? description() : description
      throw new Error(`timed out after ${timeoutMs} ms waiting for ${waitedFor}${reason}`, { cause })
    }
    await new Promise((resolve) => setTimeout(resolve, intervalMs))
  }
}
