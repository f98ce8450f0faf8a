import { type Period, periodAt } from '../subscriptions/period.ts'
import type { TermsChange } from '../subscriptions/proration.ts'

/** A change of plan or seats, as it was recorded. */
export interface PlanChange extends TermsChange {
  /** Orders changes of the same time. */
  id: bigint
  /** The anchor of the periods since the change. */
  anchorAt: Date
}

/** The time that one invoice covers. */
export interface InvoicePeriod extends Period {
  /** The month that prices are for. Longer than the period if a new subscription ended it early. */
  month: Period
}

/** Returns the changes by time, whatever the order in which they were read. */
export const sortChanges = (changes: readonly PlanChange[]): PlanChange[] =>
  [...changes].sort((a, b) => a.occurredAt.getTime() - b.occurredAt.getTime() || Number(a.id - b.id))

/**
 * Returns the periods of a workspace that began before `until`, in order and without gaps, from its first change of
 * plan. A change of the anchor ends a period early.
 */
export function invoicePeriods(sorted: readonly PlanChange[], until: Date): InvoicePeriod[] {
  const periods: InvoicePeriod[] = []
  let start = sorted[0]?.occurredAt
  while (start !== undefined && start < until) {
    const period = periodFrom(sorted, start)
    periods.push(period)
    start = period.end
  }
  return periods
}

function periodFrom(sorted: readonly PlanChange[], start: Date): InvoicePeriod {
  const current = sorted.findLast(({ occurredAt }) => occurredAt <= start)
  const anchorAt = current?.anchorAt ?? start
  const month = periodAt(anchorAt, start)
  const moved = sorted.find(
    (change) => change.occurredAt > start && change.occurredAt < month.end && !isSame(change.anchorAt, anchorAt),
  )
  return { start, end: moved?.occurredAt ?? month.end, month }
}

const isSame = (a: Date, b: Date): boolean => a.getTime() === b.getTime()
