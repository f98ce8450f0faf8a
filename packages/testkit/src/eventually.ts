export type EventuallyOptions = {
  /** How long to keep asking; default 15,000. */
  timeoutMs?: number
  /** Pause between two questions; default 20. */
  intervalMs?: number
  /** What is awaited, in words for the error. */
  description?: string
}

/**
 * Asks until the answer is there, for conditions that live in another process and can only be asked for. "Not yet" is
 * `false`, `null`, `undefined` or a thrown error; anything else ends the wait and is returned.
 *
 * @throws Error when the time is up, naming what was awaited, with the last thrown error as its cause
 */
export async function eventually<T extends NonNullable<unknown>>(
  check: () => T | false | null | undefined | Promise<T | false | null | undefined>,
  { timeoutMs = 15_000, intervalMs = 20, description = 'the condition' }: EventuallyOptions = {},
): Promise<T> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    let cause: unknown
    try {
      const answer = await check()
      if (answer !== false && answer !== null && answer !== undefined) return answer
    } catch (error) {
      cause = error
    }
    if (performance.now() >= deadline) {
      const reason = cause instanceof Error ? `: ${cause.message}` : ''
      throw new Error(`${description} did not come about within ${timeoutMs} ms${reason}`, { cause })
    }
    await new Promise((resolve) => setTimeout(resolve, intervalMs))
  }
}
