import type { AttemptResult } from './next-state.ts'

/** Health of an endpoint: its concurrency and its circuit breaker. */
export interface EndpointHealth {
  /** Limit of attempts in flight, 1 to 16. */
  inFlightCap: number
  consecutiveFailures: number
  /** Consecutive holds; 0 after a success. */
  holds: number
  /** End of the current or last hold. */
  heldUntilMs: number | null
}

/** Health of a new endpoint, and of one whose address, secret or status was changed. */
export const initialHealth: EndpointHealth = { inFlightCap: 4, consecutiveFailures: 0, holds: 0, heldUntilMs: null }

/** Seconds of the first hold and of those after each failed probe: 30 s doubling to 30 min. */
export const defaultHoldSchedule: readonly number[] = [30, 60, 120, 240, 480, 960, 1_800]

const maxInFlightCap = 16
const failuresBeforeHold = 5

/**
 * Returns the health of an endpoint after an attempt.
 *
 * The cap grows by one with every success and halves if the receiver is overloaded. Five consecutive failures start a
 * hold, during which nothing is sent. After the hold the cap is 1, so one attempt probes the endpoint and its result
 * ends or extends the hold. A response with `Retry-After` does not count as a failure of the endpoint.
 *
 * @param holdSchedule seconds of consecutive holds
 */
export function updateHealth(
  health: EndpointHealth,
  result: AttemptResult,
  nowMs: number,
  holdSchedule: readonly number[],
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
  if (result.action === 'retry_after') return { ...health, inFlightCap }
  const failed = { ...health, inFlightCap, consecutiveFailures: health.consecutiveFailures + 1 }
  // Attempts that were in flight when the hold started do not extend it.
  const isHeld = health.heldUntilMs !== null && nowMs < health.heldUntilMs
  if (failed.consecutiveFailures < failuresBeforeHold || isHeld) return failed
  const seconds = holdSchedule[Math.min(failed.holds, holdSchedule.length - 1)] ?? 0
  return { ...failed, inFlightCap: 1, holds: failed.holds + 1, heldUntilMs: nowMs + seconds * 1000 }
}
