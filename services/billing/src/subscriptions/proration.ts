import type { Period } from './period.ts'

/**
 * Returns the part of a monthly price for the seconds from `from` to `to` of a period, in minor units. It is the
 * difference of two amounts counted from the start of the period, each rounded half up. So the parts of a period add up
 * to the price, however the period is divided, and no time costs nothing.
 *
 * @param priceMinor price of the whole period, in minor units
 * @param from,to in the period; times outside it are taken as its nearer end
 */
export const proratedAmount = (priceMinor: number, period: Period, from: Date, to: Date): number =>
  amountUntil(priceMinor, period, to) - amountUntil(priceMinor, period, from)

/** Whole seconds: exact below 2^53, which a price of 3 billion minor units a month does not reach. */
function amountUntil(priceMinor: number, { start, end }: Period, time: Date): number {
  const length = secondsOf(end) - secondsOf(start)
  const elapsed = Math.min(Math.max(secondsOf(time) - secondsOf(start), 0), length)
  return Math.floor((2 * priceMinor * elapsed + length) / (2 * length))
}

const secondsOf = (time: Date): number => Math.floor(time.getTime() / 1000)

/** The terms of a subscription that set its price. */
export interface Terms {
  /** Code of the plan. */
  plan: string
  seats: number
}

/** A change of the terms. */
export interface TermsChange {
  occurredAt: Date
  from: Terms
  to: Terms
}

/** A part of a period with the same terms throughout. */
export interface Segment extends Terms {
  start: Date
  end: Date
}

/**
 * Divides a period by the changes of the terms. Changes outside the period only decide with which terms it begins.
 * Parts of no length are left out, so a change that is reversed in the same second leaves no trace.
 *
 * @param current the terms if nothing ever changed
 * @param changes oldest first
 */
export function segmentsOf(period: Period, current: Terms, changes: readonly TermsChange[]): Segment[] {
  const before = changes.filter(({ occurredAt }) => occurredAt <= period.start).at(-1)
  const within = changes.filter(({ occurredAt }) => occurredAt > period.start && occurredAt < period.end)
  let terms = before?.to ?? within[0]?.from ?? changes[0]?.from ?? current
  let { start } = period
  const segments: Segment[] = []
  const add = (end: Date) => {
    if (secondsOf(end) === secondsOf(start)) return
    const last = segments.at(-1)
    if (last !== undefined && last.plan === terms.plan && last.seats === terms.seats) last.end = end
    else segments.push({ ...terms, start, end })
  }
  for (const { occurredAt, to } of within) {
    add(occurredAt)
    start = secondsOf(occurredAt) === secondsOf(start) ? start : occurredAt
    terms = to
  }
  add(period.end)
  return segments
}
