import { describe, expect, it } from '@jest/globals'
import { type Actual, comparePlans } from '../../src/plans/compare-plan.ts'

const planOf = (date: string, expected: number | null, floor: number | null = null) => ({
  id: `plan of ${date}`,
  date,
  spaceId: 'site',
  spaceName: 'Berlin',
  expected,
  measure: null,
  floors: [{ id: 'floor', name: 'Floor 1', expected: floor, measure: null }],
})
const shown = (people: number): Actual => ({ people, isSuppressed: false })
const withheld: Actual = { people: null, isSuppressed: true }
const [monday, friday, thursday] = ['2026-03-02', '2026-02-27', '2026-02-26']

describe('the comparison of a plan with the people who came', () => {
  it('is that of the newest plan, with the error of all', () => {
    const actuals: Record<string, Actual> = {
      [`site ${monday}`]: shown(160),
      [`site ${friday}`]: shown(40),
      [`floor ${monday}`]: shown(50),
    }
    const compared = comparePlans(
      [planOf(monday, 152.4, 60), planOf(friday, 48)],
      (id, date) => actuals[`${id} ${date}`],
    )
    expect(compared).toMatchObject({
      plan_id: `plan of ${monday}`,
      date: monday,
      expected: 152.4,
      actual: 160,
      error: 7.6,
      suppressed: false,
      floors: [{ space_id: 'floor', name: 'Floor 1', expected: 60, actual: 50, error: -10, suppressed: false }],
      // (7.6 + 8) / (160 + 40), and 10 / 50.
      wape: 0.078,
      wape_floors: 0.2,
      plans: 2,
      conclusion: '160 people came on Monday, 8 more than planned (5 %). Over the last 2 plans the error was 7.8 %.',
    })
  })

  it('withholds what utilization withholds, and lets nothing of it into the error', () => {
    const actuals: Record<string, Actual> = { [`site ${monday}`]: withheld, [`site ${friday}`]: shown(40) }
    const compared = comparePlans(
      [planOf(monday, 4), planOf(friday, 50), planOf(thursday, 40)],
      (id, date) => actuals[`${id} ${date}`],
    )
    expect(compared).toMatchObject({ actual: null, error: null, suppressed: true, wape: 0.25, plans: 1 })
    expect(compared?.conclusion).toBe('How many people came to Berlin on Monday is withheld.')
  })

  it('waits for the data of the day', () => {
    const compared = comparePlans([planOf(monday, 4)], () => undefined)
    expect(compared).toMatchObject({ actual: null, suppressed: false, wape: null, plans: 0 })
    expect(compared?.conclusion).toBe('How many people came to Berlin on Monday is not known yet.')
  })

  it.each([
    [100, 100, '100 people came on Monday, as planned.'],
    [100, 90, '90 people came on Monday, 10 fewer than planned (11 %).'],
    [12, 0, '0 people came on Monday, 12 fewer than planned.'],
    [null, 90, '90 people came on Monday, for which there was no figure.'],
  ])('of %p expected and %p who came is said in a sentence', (expected, actual, conclusion) => {
    expect(comparePlans([planOf(monday, expected)], () => shown(actual))?.conclusion).toBe(conclusion)
  })

  it('is none without an earlier plan', () => {
    expect(comparePlans([], () => undefined)).toBeNull()
  })

  it('is by the most people at once when the plan is', () => {
    const plan = { ...planOf(monday, 60), measure: 'peak' as const }
    const actualOf = (_id: string, _date: string, measure: string | null) => shown(measure === 'peak' ? 63 : 20)
    expect(comparePlans([plan], actualOf)).toMatchObject({
      actual: 63,
      conclusion: '63 people were there at once on Monday, 3 more than planned (5 %).',
    })
  })
})
