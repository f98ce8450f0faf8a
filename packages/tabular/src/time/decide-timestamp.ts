import { type DateOrder, dateFormat, ordersOf } from './date-order.ts'
import type { OrderEvidence, StyleEvidence, TimestampEvidence } from './timestamp-evidence.ts'

/** A decision about the times of a column. */
export type TimestampDecision =
  | {
      outcome: 'decided'
      format: string
      order: DateOrder
      readable: number
      ancient: number
      confidence: number
      basis: OrderBasis
    }
  /** Day and month can be exchanged in every value: nothing tells which is which. */
  | { outcome: 'ambiguous'; orders: DateOrder[]; style: StyleEvidence; readable: number }
  | { outcome: 'none' }

/** The evidence for the order of day and month. */
export type OrderBasis = 'values' | 'points' | 'columns' | 'sequence'

/** Orders this much more often impossible than another are excluded. */
const dominance = 10

/** Decides the format of the times of a column by all of its values. @param hint the order other columns prove */
export function decideTimestampFormat(evidence: TimestampEvidence, hint?: DateOrder): TimestampDecision {
  const [style] = [...evidence.styles.values()].sort((a, b) => b.count - a.count)
  if (style === undefined) return { outcome: 'none' }
  const possible = possibleOrders(style)
  const [order] = possible
  if (order === undefined) return { outcome: 'none' }
  if (possible.length === 1) return decided(style, order, 1, 'values')
  if (hint !== undefined && possible.includes(hint)) return decided(style, hint, 0.9, 'columns')
  // Dates with points have the day first in every locale of the Unicode CLDR that has the year last.
  if (style.style.separators[0].startsWith('.') && possible.includes('DMY')) return decided(style, 'DMY', 0.9, 'points')
  const bySequence = orderBySequence(style, possible)
  if (bySequence !== undefined) return decided(style, bySequence, 0.8, 'sequence')
  return { outcome: 'ambiguous', orders: possible, style, readable: style.count }
}

/** Returns the orders that the values do not exclude; none if the values contradict each order. */
function possibleOrders(style: StyleEvidence): DateOrder[] {
  const orders = ordersOf(style.style)
  const least = Math.min(...orders.map((order) => style.orders[order].invalid))
  const possible = orders.filter((order) => {
    const { invalid } = style.orders[order]
    return invalid === least || invalid < least * dominance
  })
  return possible.length > 1 && least > 0 ? [] : possible
}

const minSequenceRows = 50
const minChanges = 5

/**
 * Returns the order in which the dates follow each other without gaps while every other order is disordered or would
 * have events at many times of one day a month and none between.
 */
function orderBySequence(style: StyleEvidence, possible: readonly DateOrder[]): DateOrder | undefined {
  if (style.count < minSequenceRows) return undefined
  const isContinuous = (order: DateOrder) => {
    const { changes, decreases, maxGap } = style.orders[order]
    return changes >= minChanges && decreases === 0 && maxGap <= 4
  }
  const isImplausible = (order: DateOrder) => {
    const { decreases, minGap, changes } = style.orders[order]
    const hasManyTimes = style.timeChanges >= changes * 3
    return decreases > 0 || (minGap >= 28 && hasManyTimes)
  }
  const continuous = possible.filter(isContinuous)
  const [order] = continuous
  return continuous.length === 1 && possible.every((other) => other === order || isImplausible(other))
    ? order
    : undefined
}

const minContradictingChanges = 3
const longestMonth = 31

/** The evidence for the order of day and month that a format states, and for the other one; undefined without one. */
function exchangeOf({ styles }: TimestampEvidence, format: string) {
  const [style] = [...styles.values()].sort((a, b) => b.count - a.count)
  const stated = /^D/.test(format) ? 'DMY' : /^M(?!MM)/.test(format) ? 'MDY' : undefined
  if (style === undefined || stated === undefined || !ordersOf(style.style).includes(stated)) return undefined
  const other = stated === 'DMY' ? 'MDY' : 'DMY'
  return { style, other, read: style.orders[stated], exchanged: style.orders[other] } as const
}

const follow = ({ changes, decreases, maxGap }: OrderEvidence): boolean =>
  changes >= minContradictingChanges && decreases === 0 && maxGap <= 4

/**
 * Returns the format that dates have in place of one with day and month the other way round: because a date is none in
 * the given one, or because only so they follow each other, and are not of single days that are months apart.
 */
export function findExchangedFormat(evidence: TimestampEvidence, format: string): string | undefined {
  const exchange = exchangeOf(evidence, format)
  if (exchange === undefined || exchange.exchanged.invalid > 0) return undefined
  const { style, other, read, exchanged } = exchange
  if (read.invalid > 0) return formatOf(style, other)
  // A table of months has a date of each, most often its first day.
  const isOfMonths = read.decreases === 0 && read.maxGap <= longestMonth && read.isFirstOfMonths
  return follow(exchanged) && (read.decreases > 0 || read.minGap >= 28) && !isOfMonths
    ? formatOf(style, other)
    : undefined
}

/** Returns true if dates may as well have day and month the other way round as in a format. */
export function isUnprovenOrder(evidence: TimestampEvidence, format: string): boolean {
  const exchange = exchangeOf(evidence, format)
  if (exchange === undefined || exchange.style.style.separators[0].startsWith('.')) return false
  return exchange.read.invalid + exchange.exchanged.invalid === 0 && !follow(exchange.read)
}

function decided(
  style: StyleEvidence,
  order: DateOrder,
  confidence: number,
  basis: OrderBasis,
): TimestampDecision & { outcome: 'decided' } {
  const format = formatOf(style, order)
  const { invalid, ancient } = style.orders[order]
  return { outcome: 'decided', format, order, readable: style.count - invalid, ancient, confidence, basis }
}

/** Returns the most frequent format of a layout in an order. */
export function formatOf({ style, timeFormats, hasUnpadded }: StyleEvidence, order: DateOrder): string {
  const [time] = [...timeFormats].sort(([a, countA], [b, countB]) => countB - countA || b.length - a.length)
  return `${dateFormat(style, order, hasUnpadded)}${time?.[0] ?? ''}`
}
