import type { Random } from '../random.ts'

/** The share of no-shows of all bookings that were not cancelled. */
export const noShowShare = 0.29
/** The number of no-shows never differs from its share by more bookings than this, so 12,000 give 29 % ± 0.05. */
const tolerance = 6

/**
 * Creates a function that decides whether a booking is a no-show: with its own probability, but so that the share of
 * all is exact at any time, within a few bookings.
 */
export function createNoShowDecision(random: Random) {
  let bookings = 0
  let noShows = 0
  return {
    decide(probability: number): boolean {
      const missing = noShowShare * (bookings + 1) - noShows
      if (missing >= tolerance) return true
      if (missing <= 1 - tolerance) return false
      // Leans towards the share, so that the limits are seldom reached.
      return random.chance(probability + missing * 0.02)
    },
    /** Counts the result, which differs from the decision if no one could be found for it. */
    count(isNoShow: boolean): void {
      bookings += 1
      if (isNoShow) noShows += 1
    },
  }
}
