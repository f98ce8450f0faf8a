import { type Meter, meters, type Plan } from '@wp/contracts'
import fc from 'fast-check'
import type { PlanChange } from '../../src/invoices/billing-periods.ts'
import type { UsageTotal } from '../../src/invoices/usage-charges.ts'

/** A usage event, as services emit it. */
export interface UsageEvent {
  id: string
  meter: Meter
  at: Date
  quantity: number
}

/** What happened in a workspace. */
export interface EventLog {
  changes: PlanChange[]
  usage: UsageEvent[]
}

export const anchor = new Date('2026-01-31T10:20:30.000Z')
const month = 28 * 86_400_000

/** Generates the changes of plan and the usage events of a workspace that subscribed at `anchor`. */
export const eventLogs = (plans: readonly Plan[]): fc.Arbitrary<EventLog> =>
  fc
    .record({
      terms: fc.array(
        fc.record({
          after: fc.integer({ min: 0, max: month - 1 }),
          plan: fc.constantFrom(...plans.map(({ code }) => code)),
          seats: fc.integer({ min: 1, max: 400 }),
        }),
        { maxLength: 6 },
      ),
      usage: fc.array(
        fc.record({
          meter: fc.constantFrom(...meters),
          after: fc.integer({ min: 0, max: month - 1 }),
          quantity: fc.integer({ min: 0, max: 40_000_000 }),
        }),
        { maxLength: 30 },
      ),
    })
    .map(({ terms, usage }) => ({
      changes: linkChanges([{ after: 0, plan: 'team', seats: 12 }, ...terms]),
      usage: usage.map(({ meter, after, quantity }, index) => ({
        id: `evt_${index}`,
        meter,
        quantity,
        at: new Date(anchor.getTime() + after),
      })),
    }))

/** Builds changes of which each begins with the terms the one before left. */
export function linkChanges(terms: readonly { after: number; plan: string; seats: number }[]): PlanChange[] {
  const inOrder = terms.toSorted((a, b) => a.after - b.after)
  return inOrder.map(({ after, plan, seats }, index) => {
    const before = inOrder[index - 1]
    return {
      id: BigInt(index + 1),
      occurredAt: new Date(anchor.getTime() + after),
      anchorAt: anchor,
      from: { plan: before?.plan ?? 'free', seats: before?.seats ?? 10 },
      to: { plan, seats },
    }
  })
}

/** Adds up usage events by meter and hour as billing does: an event that was seen before does not count. */
export function addUp(events: readonly UsageEvent[]): UsageTotal[] {
  const seen = new Set<string>()
  const totals = new Map<string, UsageTotal>()
  for (const { id, meter, at, quantity } of events) {
    if (seen.has(id)) continue
    seen.add(id)
    const hour = new Date(at.getTime() - (at.getTime() % 3_600_000))
    const key = `${meter} ${hour.toISOString()}`
    totals.set(key, { meter, hour, quantity: (totals.get(key)?.quantity ?? 0) + quantity })
  }
  return [...totals.values()]
}
