import { type InvoiceLine, type Meter, meters, type Plan, type PlanMeter } from '@wp/contracts'
import type { Period } from '../subscriptions/period.ts'
import type { Segment } from '../subscriptions/proration.ts'
import { formatCount, shareOf } from './money.ts'

/** The use of a meter in the hour that begins at `hour`. */
export interface UsageTotal {
  meter: Meter
  hour: Date
  quantity: number
}

/** The use of a meter that an invoice charged. */
export interface MeterCharge {
  quantity: number
  amount_minor: number
}

const nouns: Readonly<Record<Meter, string>> = {
  api_calls: 'API calls',
  agent_runs: 'Agent runs',
  tokens_in: 'Input tokens',
  tokens_out: 'Output tokens',
  syncs: 'Syncs',
  records: 'Records',
  forecast_runs: 'Forecast runs',
  deliveries: 'Webhook deliveries',
}

/** Returns the name of a meter on an invoice. */
export const meterNoun = (meter: Meter): string => nouns[meter]

/** The parts of a period with their plans, and the month that the included quantities are for. */
export interface UsagePeriod {
  month: Period
  segments: readonly Segment[]
}

/**
 * Returns the lines for the use of a period beyond what the plans include. The included quantities of the plans of the
 * period, each in proportion to its time, are added up and cover the use in order of time. The use after that is
 * charged by started units, at the price of the plan at the time of the use. Use belongs to the period in which its
 * hour begins.
 */
export function usageLines(
  { month, segments }: UsagePeriod,
  usage: readonly UsageTotal[],
  planOf: (code: string) => Plan,
): InvoiceLine[] {
  return meters.flatMap((meter) => {
    const parts = segments.map((segment) => ({ segment, terms: termsOf(planOf(segment.plan), meter) }))
    const included = addIncluded(month, parts)
    let uncovered = included
    return parts.flatMap(({ segment, terms }): InvoiceLine[] => {
      const used = quantityIn(usage, meter, segment)
      const excess = Math.max(0, used - uncovered)
      uncovered = Math.max(0, uncovered - used)
      const units = Math.ceil(excess / terms.unit)
      if (units === 0 || terms.at_limit !== 'bill' || terms.price_minor === 0) return []
      return [
        {
          description: `${nouns[meter]} beyond ${formatCount(included)}, per ${formatCount(terms.unit)}`,
          kind: 'usage',
          meter,
          quantity: units,
          unit_price_minor: terms.price_minor,
          amount_minor: units * terms.price_minor,
          period_start: segment.start.toISOString(),
          period_end: segment.end.toISOString(),
        },
      ]
    })
  })
}

/** Returns what the use of a period costs by meter, for comparison with later recorded use. */
export function chargesOf(
  period: Period,
  usage: readonly UsageTotal[],
  lines: readonly InvoiceLine[],
): Record<string, MeterCharge> {
  const charges = meters.map((meter): [Meter, MeterCharge] => {
    const own = lines.filter((line) => line.meter === meter && line.kind === 'usage')
    const amount_minor = own.reduce((sum, line) => sum + line.amount_minor, 0)
    return [meter, { quantity: quantityIn(usage, meter, period), amount_minor }]
  })
  return Object.fromEntries(charges.filter(([, { quantity }]) => quantity > 0))
}

const quantityIn = (usage: readonly UsageTotal[], meter: Meter, { start, end }: Period): number =>
  usage.reduce((sum, each) => {
    const isCounted = each.meter === meter && each.hour >= start && each.hour < end
    return isCounted ? sum + each.quantity : sum
  }, 0)

/** Infinity if one of the plans includes any quantity. */
function addIncluded(month: Period, parts: readonly { segment: Segment; terms: PlanMeter }[]): number {
  const whole = month.end.getTime() - month.start.getTime()
  return parts.reduce((sum, { segment, terms }) => {
    if (terms.included === null) return Number.POSITIVE_INFINITY
    return sum + shareOf(terms.included, segment.end.getTime() - segment.start.getTime(), whole)
  }, 0)
}

function termsOf(plan: Plan, meter: Meter): PlanMeter {
  const terms = plan.meters.find((each) => each.meter === meter)
  if (terms === undefined) throw new Error(`the plan ${plan.code} has no terms for ${meter}`)
  return terms
}
