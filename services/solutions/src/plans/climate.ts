import type { PlanContent } from '@wp/contracts'
import { timeOf } from './expectation.ts'
import type { OpenMinutes } from './input/plan-input.ts'

/** A part of the day in minutes since midnight. */
export interface Span {
  from: number
  to: number
}

/**
 * Returns the span from the first to the last open hour with so many people; null if there is none. Hours in between
 * belong to it whatever they have. An hour of which a part is open is open.
 */
export function busySpan(hours: PlanContent['hours'], open: OpenMinutes, minPeople: number): Span | null {
  const busy = hours.flatMap(({ people }, hour) =>
    people !== null && people >= minPeople && (hour + 1) * 60 > open.from && hour * 60 < open.to ? [hour] : [],
  )
  const [first] = busy
  return first === undefined ? null : { from: first * 60, to: ((busy.at(-1) ?? first) + 1) * 60 }
}

/** Widens a span by the minutes before and after it, within the opening hours. */
export const withLead = (span: Span, open: OpenMinutes, lead: number, lag: number): Span => ({
  from: Math.max(open.from, span.from - lead),
  to: Math.min(open.to, span.to + lag),
})

export const windowOf = ({ from, to }: Span): { from: string; to: string } => ({ from: timeOf(from), to: timeOf(to) })

export const minutesOf = ({ from, to }: Span): number => to - from
