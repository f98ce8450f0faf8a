import { describe, expect, it } from '@jest/globals'
import type { Meter } from '@wp/contracts'
import fc from 'fast-check'
import { invoicePeriods, type PlanChange } from '../../src/invoices/billing-periods.ts'
import { calculateInvoice, type InvoiceInput } from '../../src/invoices/calculate-invoice.ts'
import { shareOf } from '../../src/invoices/money.ts'
import { plans } from '../../src/plans.ts'
import { addUp, anchor, eventLogs, linkChanges } from './event-log.ts'

const days = (count: number) => count * 86_400_000
const [january] = invoicePeriods(linkChanges([{ after: 0, plan: 'team', seats: 10 }]), new Date('2026-02-01'))
if (january === undefined) throw new Error('there is no period')
const period = january

const calculate = (changes: readonly PlanChange[], more: Partial<InvoiceInput> = {}) =>
  calculateInvoice({ period, changes, usage: [], plans, taxBasisPoints: 0, ...more })

const use = (meter: Meter, after: number, quantity: number) => ({
  meter,
  quantity,
  hour: new Date(anchor.getTime() + after),
})
const team = { after: 0, plan: 'team', seats: 10 }

describe('the periods of a workspace', () => {
  const starts = (changes: readonly PlanChange[], until: string) =>
    invoicePeriods(changes, new Date(until)).map(({ start }) => start.toISOString().slice(0, 10))

  it('begin with the first change, keep its day, and are clamped to the end of a month', () => {
    expect(starts(linkChanges([team]), '2026-04-01')).toEqual(['2026-01-31', '2026-02-28', '2026-03-31'])
    expect(starts([], '2026-04-01')).toEqual([])
  })

  it('end early when a new subscription moves the anchor', () => {
    const [first, ...rest] = linkChanges([team, { after: days(10), plan: 'free', seats: 10 }])
    const again = new Date('2026-02-14T00:00:00.000Z')
    const third = { id: 9n, occurredAt: again, anchorAt: again, from: { plan: 'free', seats: 10 }, to: team }
    const changes = [first, ...rest, third].filter((change) => change !== undefined)
    expect(starts(changes, '2026-03-01')).toEqual(['2026-01-31', '2026-02-14'])
    const [cut] = invoicePeriods(changes, new Date('2026-03-01'))
    expect(cut).toMatchObject({ end: again, month: { end: new Date('2026-02-28T10:20:30.000Z') } })
    // 10 of the 28 days of the month: the plan ended before the period did.
    const { lines } = calculate(changes, { ...(cut && { period: cut }) })
    expect(lines.map(({ amount_minor }) => amount_minor)).toEqual([1750])
  })
})

describe('an invoice', () => {
  it('has the price of the plan and of the seats beyond those included', () => {
    const { lines, totalMinor } = calculate(linkChanges([{ ...team, seats: 13 }]))
    expect(lines).toEqual([
      expect.objectContaining({ kind: 'plan', quantity: 1, unit_price_minor: 4900, amount_minor: 4900 }),
      expect.objectContaining({ kind: 'seat', quantity: 3, unit_price_minor: 900, amount_minor: 2700 }),
    ])
    expect(totalMinor).toBe(7600)
  })

  it('has no line on the free plan, however much is used', () => {
    const free = linkChanges([{ after: 0, plan: 'free', seats: 10 }])
    expect(calculate(free, { usage: [use('api_calls', 0, 9e9)] })).toMatchObject({ lines: [], totalMinor: 0 })
  })

  it('charges each plan for its time when the plan changes', () => {
    const { lines } = calculate(linkChanges([team, { after: days(7), plan: 'business', seats: 10 }]))
    expect(lines.map(({ kind, amount_minor }) => [kind, amount_minor])).toEqual([
      ['proration', 1225],
      ['proration', 18_675],
    ])
  })

  it('costs nothing more when a change is reversed at once', () => {
    const detour = linkChanges([team, { after: days(7), plan: 'business', seats: 90 }, { ...team, after: days(7) }])
    expect(calculate(detour)).toEqual(calculate(linkChanges([team])))
  })

  it.each([
    ['nothing up to the included quantity', 20_000_000, []],
    ['one unit from the next call on', 20_000_001, [[1, 100]]],
    ['every started unit', 22_000_001, [[3, 300]]],
  ])('charges for use %s', (_, quantity, expected) => {
    const { lines } = calculate(linkChanges([team]), { usage: [use('api_calls', days(1), quantity)] })
    const used = lines.filter(({ kind }) => kind === 'usage')
    expect(used.map((line) => [line.quantity, line.amount_minor])).toEqual(expected)
  })

  it('covers early use by what a later plan of the period includes, and charges the rest at the price of its time', () => {
    // 5 + 75 million are included for a quarter of the month on team and three quarters on business.
    const changes = linkChanges([team, { after: days(7), plan: 'business', seats: 10 }])
    const charged = (usage: InvoiceInput['usage']) =>
      calculate(changes, { usage }).lines.filter(({ kind }) => kind === 'usage')
    expect(charged([use('api_calls', days(1), 80_000_000)])).toEqual([])
    expect(charged([use('api_calls', days(1), 81_000_000), use('api_calls', days(9), 2_000_000)])).toEqual([
      expect.objectContaining({ quantity: 1, unit_price_minor: 100 }),
      expect.objectContaining({ quantity: 2, unit_price_minor: 80 }),
    ])
  })

  it('charges use once when seats change', () => {
    const usage = [use('agent_runs', days(1), 20_400), use('agent_runs', days(9), 400)]
    const usedWith = (...changes: Parameters<typeof linkChanges>[0]) =>
      calculate(linkChanges(changes), { usage }).lines.filter(({ kind }) => kind === 'usage')
    // 800 runs beyond 20,000 are one started unit, and not one before and one after the change.
    expect(usedWith(team)).toEqual([expect.objectContaining({ quantity: 1, amount_minor: 500 })])
    for (const seats of [9, 11, 40]) expect(usedWith(team, { ...team, after: days(7), seats })).toEqual(usedWith(team))
  })

  it('ignores use outside the period', () => {
    const usage = [use('api_calls', -3_600_000, 9e9), use('api_calls', days(28), 9e9)]
    expect(calculate(linkChanges([team]), { usage })).toEqual(calculate(linkChanges([team])))
  })

  it('rounds the tax once, half up', () => {
    const changes = linkChanges([team])
    expect(calculate(changes, { taxBasisPoints: 1_900 })).toMatchObject({ taxMinor: 931, totalMinor: 5_831 })
    expect([shareOf(1, 1, 2), shareOf(3, 1, 2), shareOf(-1, 1, 2), shareOf(-3, 1, 2), shareOf(1, 49, 100)]).toEqual([
      1, 2, 0, -1, 0,
    ])
  })

  it('adjusts for use of the previous period that was recorded after its invoice', () => {
    const changes = linkChanges([team])
    const usage = [use('api_calls', days(1), 20_500_000)]
    const { charges } = calculate(changes, { usage })
    const [, february] = invoicePeriods(changes, new Date('2026-03-01'))
    if (february === undefined) throw new Error('there is no second period')
    const next = (recorded: InvoiceInput['usage']) =>
      calculate(changes, { period: february, usage: recorded, previous: { period, charges } }).lines.slice(1)
    expect(next(usage)).toEqual([])
    expect(next([...usage, use('api_calls', days(2), 1_000_000)])).toEqual([
      expect.objectContaining({ kind: 'adjustment', meter: 'api_calls', quantity: 1, amount_minor: 100 }),
    ])
  })

  it('is the same when the log of events is replayed, and in any order', () => {
    const logs = eventLogs(plans).chain((log) =>
      fc.record({
        log: fc.constant(log),
        changes: fc.shuffledSubarray(log.changes, { minLength: log.changes.length }),
        replayed: fc.shuffledSubarray([...log.usage, ...log.usage], { minLength: 2 * log.usage.length }),
      }),
    )
    fc.assert(
      fc.property(logs, ({ log, changes, replayed }) => {
        const invoice = calculate(log.changes, { usage: addUp(log.usage), taxBasisPoints: 1_900 })
        expect(calculate(changes, { usage: addUp(replayed), taxBasisPoints: 1_900 })).toEqual(invoice)
        const subtotal = invoice.lines.reduce((sum, line) => sum + line.amount_minor, 0)
        expect(invoice).toMatchObject({ subtotalMinor: subtotal, totalMinor: subtotal + invoice.taxMinor })
        for (const line of invoice.lines) expect(line.amount_minor).toBeGreaterThan(0)
      }),
      { numRuns: 200 },
    )
  })
})
