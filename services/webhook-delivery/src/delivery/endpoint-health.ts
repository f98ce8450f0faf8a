import type { AttemptResult } from './classify-attempt.ts'

/** What is known of how an endpoint fares: how much it is given at once, and whether it is held. */
export interface EndpointHealth {
  /** Attempts under way at once, 1 to 16. */
  inFlightCap: number
  consecutiveFailures: number
  /** How often in a row it was held; 0 while it is well. */
  holds: number
  heldUntilMs: number | null
}

/** A new endpoint, or one whose address, secret or state a person has just changed. */
export const initialHealth: EndpointHealth = { inFlightCap: 4, consecutiveFailures: 0, holds: 0, heldUntilMs: null }

/** Seconds an endpoint is held, the first time and then after each failed probe: 30 s doubling to 30 min. */
export const defaultHoldSchedule: readonly number[] = [30, 60, 120, 240, 480, 960, 1_800]

const maxInFlightCap = 16
const failuresBeforeHold = 5

/**
 * An endpoint's health after one more attempt.
 *
 * The cap grows by one with every success and halves when the receiver is overloaded. After five failures in a row the
 * endpoint is held; when the hold is over its cap is 1, so that one probe goes through, and its outcome decides. An
 * answer with `Retry-After` is no failure of the endpoint: it told us what to do.
 *
 * @param holds seconds of the first hold, of the next, …
 */
export function updateHealth(
  health: EndpointHealth,
  result: AttemptResult,
  nowMs: number,
  holds: readonly number[],
): EndpointHealth {
  if (result.outcome === 'delivered')
    return {
      inFlightCap: Math.min(health.inFlightCap + 1, maxInFlightCap),
      consecutiveFailures: 0,
      holds: 0,
      heldUntilMs: null,
    }
  const isOverloaded = result.action !== 'disable' && result.isOverloaded
  const inFlightCap = isOverloaded ? Math.max(1, Math.floor(health.inFlightCap / 2)) : health.inFlightCap
  if (result.action === 'wait') return { ...health, inFlightCap }
  const failed = { ...health, inFlightCap, consecutiveFailures: health.consecutiveFailures + 1 }
  // What was under way when the hold began says nothing new.
  const isHeld = health.heldUntilMs !== null && nowMs < health.heldUntilMs
  if (failed.consecutiveFailures < failuresBeforeHold || isHeld) return failed
  const seconds = holds[Math.min(failed.holds, holds.length - 1)] ?? 0
  return { ...failed, inFlightCap: 1, holds: failed.holds + 1, heldUntilMs: nowMs + seconds * 1000 }
}
