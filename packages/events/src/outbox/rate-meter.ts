/** Counts events by second. */
export interface RateMeter {
  /** Counts an event. @returns the events within the last second or so, this one included */
  count(nowMs: number): number
}

const windowMs = 1_000

/** Creates a meter that holds two numbers: the events of this second, and those of the one before. */
export function createRateMeter(): RateMeter {
  let startMs = Number.NEGATIVE_INFINITY
  let current = 0
  let previous = 0
  return {
    count(nowMs) {
      const elapsedMs = nowMs - startMs
      if (elapsedMs >= windowMs) {
        previous = elapsedMs < 2 * windowMs ? current : 0
        current = 0
        startMs = elapsedMs < 2 * windowMs ? startMs + windowMs : nowMs
      }
      current += 1
      return current + previous * (1 - (nowMs - startMs) / windowMs)
    },
  }
}
