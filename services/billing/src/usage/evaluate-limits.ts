import { type Meter, type Plan, type PlanMeter, usageThresholds } from '@wp/contracts'
import type { Period } from '../subscriptions/period.ts'

/** The use of a workspace in its current period, and what was reported of it. */
export interface LimitState {
  /** Milliseconds since 1970. */
  now: number
  plan: Plan
  period: Period
  /** Use in the period; meters without use may be missing. */
  totals: ReadonlyMap<Meter, number>
  /** State that the services were last told. */
  limits: readonly { meter: Meter; exhausted: boolean; periodEnd: Date }[]
  /** Thresholds that were reported, of any period. */
  reported: readonly { meter: Meter; periodStart: Date; included: number; percent: number }[]
}

export interface ReachedThreshold {
  meter: Meter
  percent: (typeof usageThresholds)[number]
  included: number
}

/** Reports to make: thresholds reached for the first time in the period, and meters to refuse or allow again. */
export interface LimitChanges {
  reached: ReachedThreshold[]
  limits: { meter: Meter; exhausted: boolean }[]
}

/** Returns what must be reported. It depends only on the totals, not on the order in which they came about. */
export function evaluateLimits(state: LimitState): LimitChanges {
  return {
    reached: state.plan.meters.flatMap((meter) => newlyReached(state, meter)),
    limits: state.plan.meters.flatMap((meter) => changedLimit(state, meter)),
  }
}

function newlyReached({ totals, period, reported }: LimitState, { meter, included }: PlanMeter): ReachedThreshold[] {
  const quantity = totals.get(meter) ?? 0
  if (included === null || quantity === 0) return []
  const isReported = (percent: number) =>
    reported.some(
      (known) =>
        known.meter === meter &&
        known.percent === percent &&
        known.included === included &&
        known.periodStart.getTime() === period.start.getTime(),
    )
  return usageThresholds
    .filter((percent) => quantity * 100 >= included * percent && !isReported(percent))
    .map((percent) => ({ meter, percent, included }))
}

function changedLimit(
  { now, totals, period, limits }: LimitState,
  { meter, included, at_limit }: PlanMeter,
): LimitChanges['limits'] {
  const exhausted = at_limit === 'refuse' && included !== null && (totals.get(meter) ?? 0) >= included
  const known = limits.find((limit) => limit.meter === meter && limit.exhausted)
  // The services drop a limit at the end of its period. A change of plan can begin a period before that.
  const isKnown = exhausted
    ? known?.periodEnd.getTime() === period.end.getTime()
    : known === undefined || known.periodEnd.getTime() <= now
  return isKnown ? [] : [{ meter, exhausted }]
}

/** Returns the used part of what is included in percent, rounded down; null if it is unlimited. */
export function usedPercent(quantity: number, included: number | null): number | null {
  if (included === null) return null
  return included === 0 ? (quantity === 0 ? 0 : 100) : Math.floor((quantity * 100) / included)
}
