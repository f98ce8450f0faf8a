import { type InvoiceLine, type Meter, meters, type Plan } from '@wp/contracts'
import type { Period } from '../subscriptions/period.ts'
import { proratedAmount, type Segment, segmentsOf } from '../subscriptions/proration.ts'
import { type InvoicePeriod, type PlanChange, sortChanges } from './billing-periods.ts'
import { shareOf } from './money.ts'
import { chargesOf, type MeterCharge, meterNoun, type UsageTotal, usageLines } from './usage-charges.ts'

/** The previous period and what its invoice charged for use. */
export interface PreviousInvoice {
  period: InvoicePeriod
  charges: Readonly<Record<string, MeterCharge>>
}

export interface InvoiceInput {
  period: InvoicePeriod
  /** All changes of plan and seats of the workspace, in any order. */
  changes: readonly PlanChange[]
  /** Use of the period, and of the previous one if there is one, in any order. */
  usage: readonly UsageTotal[]
  previous?: PreviousInvoice | undefined
  plans: readonly Plan[]
  /** Hundredths of a percent. */
  taxBasisPoints: number
}

export interface CalculatedInvoice {
  currency: string
  lines: InvoiceLine[]
  subtotalMinor: number
  taxMinor: number
  totalMinor: number
  /** Charges for use, by meter. */
  charges: Record<string, MeterCharge>
}

/** A period divided by the changes of plan, with a look-up of the plans. */
interface DividedPeriod extends InvoicePeriod {
  segments: readonly Segment[]
  planOf: (code: string) => Plan
}

/**
 * Calculates the invoice of a period from the changes of plan and the recorded use. The same changes and use give the
 * same invoice, in whatever order they were recorded. Every line is rounded once, half up, and so is the tax.
 *
 * @throws Error if a change names a plan that is not in `plans`
 */
export function calculateInvoice(input: InvoiceInput): CalculatedInvoice {
  const { period, usage, previous, plans, taxBasisPoints } = input
  const sorted = sortChanges(input.changes)
  const planOf = (code: string): Plan => {
    const plan = plans.find((each) => each.code === code)
    if (plan === undefined) throw new Error(`there is no plan ${code}`)
    return plan
  }
  const divide = (range: InvoicePeriod): DividedPeriod => ({ ...range, segments: divideByPlan(range, sorted), planOf })
  const divided = divide(period)
  const used = useOf(divided, usage)
  const lines = [
    ...planLines(divided),
    ...seatLines(divided),
    ...used,
    ...(previous === undefined ? [] : adjustmentLines(divide(previous.period), previous.charges, usage)),
    // A plan or seats of a few minutes may cost nothing.
  ].filter((line) => line.amount_minor !== 0)
  const subtotalMinor = lines.reduce((sum, line) => sum + line.amount_minor, 0)
  const taxMinor = shareOf(subtotalMinor, taxBasisPoints, 10_000)
  return {
    currency: plans[0]?.currency ?? 'EUR',
    lines,
    subtotalMinor,
    taxMinor,
    totalMinor: subtotalMinor + taxMinor,
    charges: chargesOf(period, usage, used),
  }
}

/** Changes at the end of the period belong to the next one. */
function divideByPlan(period: InvoicePeriod, sorted: readonly PlanChange[]): Segment[] {
  const [first] = sorted
  return first === undefined ? [] : segmentsOf(period, first.from, sorted)
}

/** The use by plan. A change of seats does not split a plan, or each part would end with a started unit. */
const useOf = (period: DividedPeriod, usage: readonly UsageTotal[]): InvoiceLine[] =>
  usageLines({ month: period.month, segments: byPlan(period) }, usage, period.planOf)

const byPlan = ({ segments }: DividedPeriod): Segment[] => mergeBy(segments, ({ plan }) => plan)

/** The price of each plan, in proportion to its time. A change of seats does not split a plan. */
function planLines(period: DividedPeriod): InvoiceLine[] {
  return byPlan(period).flatMap((part): InvoiceLine[] => {
    const { name, price_minor: price } = period.planOf(part.plan)
    if (price === 0) return []
    const isWhole = covers(part, period.month)
    return [
      {
        description: isWhole ? `${name} plan` : `${name} plan, part of the month`,
        kind: isWhole ? 'plan' : 'proration',
        meter: null,
        quantity: 1,
        unit_price_minor: price,
        amount_minor: proratedAmount(price, period.month, part.start, part.end),
        ...rangeOf(part),
      },
    ]
  })
}

/** The seats beyond those that the plan includes, in proportion to their time. */
function seatLines(period: DividedPeriod): InvoiceLine[] {
  const extraSeats = ({ plan, seats }: Segment) => Math.max(0, seats - period.planOf(plan).included_seats)
  return mergeBy(period.segments, (segment) => `${segment.plan} ${extraSeats(segment)}`).flatMap(
    (part): InvoiceLine[] => {
      const { name, seat_price_minor: price } = period.planOf(part.plan)
      const quantity = extraSeats(part)
      if (quantity === 0 || price === 0) return []
      return [
        {
          description: `Additional seats, ${name} plan${covers(part, period.month) ? '' : ', part of the month'}`,
          kind: 'seat',
          meter: null,
          quantity,
          unit_price_minor: price,
          amount_minor: proratedAmount(quantity * price, period.month, part.start, part.end),
          ...rangeOf(part),
        },
      ]
    },
  )
}

/** Use of the previous period that was recorded after its invoice, if it costs more than was charged. */
function adjustmentLines(
  period: DividedPeriod,
  charged: PreviousInvoice['charges'],
  usage: readonly UsageTotal[],
): InvoiceLine[] {
  const now = chargesOf(period, usage, useOf(period, usage))
  return meters.flatMap((meter: Meter): InvoiceLine[] => {
    const amount = (now[meter]?.amount_minor ?? 0) - (charged[meter]?.amount_minor ?? 0)
    if (amount <= 0) return []
    const description = `${meterNoun(meter)}, late use of the previous period`
    const amounts = { quantity: 1, unit_price_minor: amount, amount_minor: amount }
    return [{ description, kind: 'adjustment', meter, ...amounts, ...rangeOf(period) }]
  })
}

/** Merges neighbouring segments with the same key. */
function mergeBy(segments: readonly Segment[], keyOf: (segment: Segment) => string): Segment[] {
  const merged: Segment[] = []
  for (const segment of segments) {
    const last = merged.at(-1)
    if (last !== undefined && keyOf(last) === keyOf(segment)) merged[merged.length - 1] = { ...last, end: segment.end }
    else merged.push(segment)
  }
  return merged
}

const covers = (part: Period, whole: Period): boolean =>
  part.start.getTime() === whole.start.getTime() && part.end.getTime() === whole.end.getTime()

const rangeOf = ({ start, end }: Period) => ({ period_start: start.toISOString(), period_end: end.toISOString() })
