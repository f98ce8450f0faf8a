import { describe, expect, it } from '@jest/globals'
import { makePlan } from '../../src/plans/make-plan.ts'
import { usualDays } from '../../src/plans/usual-days.ts'
import { dayOf, emptyHours, inputOf, spaceOf } from './made-plan.ts'

const day = (attendance: number, atOnce = attendance * 0.8) => dayOf(attendance, { ...emptyHours, 9: atOnce })
const usual = [38, 40, 42, 39, 41, 40, 40].map((attendance) => day(attendance))

describe('usualDays', () => {
  it.each([
    { of: 'a typing error', values: [40, 38, 42, 400, 41], left: [400] },
    { of: 'a day with an event of a few times as many', values: [40, 38, 42, 190, 41], left: [] },
    { of: 'a small floor', values: [1, 1, 0, 50, 2], left: [] },
    { of: 'a floor that is mostly empty', values: [0, 0, 0, 51, 0], left: [51] },
    { of: 'all equal', values: [40, 40, 40, 40], left: [] },
    { of: 'one day', values: [400], left: [] },
  ])('leaves out $left of $of', ({ values, left }) => {
    const kept = usualDays(values.map((value) => day(value))).map(({ people }) => people)
    expect(kept).toEqual(values.filter((value) => !left.includes(value)))
  })
})

describe('a plan', () => {
  it('is the same with a day of far more people than usual, and says that it leaves it out', () => {
    const planOf = (days: typeof usual) =>
      makePlan(inputOf({ site: spaceOf('Berlin', { days }), floors: [spaceOf('Floor 1', { days, capacity: 60 })] }))
    const [plan, planWithout] = [planOf([...usual, day(4000)]), planOf(usual)]
    expect(plan.content).toEqual({
      ...planWithout.content,
      warnings: ['Days with far more people than usual are left out of what is expected in Berlin and Floor 1.'],
    })
    expect(plan.content.expected?.mean).toBe(40)
  })

  it('says nothing of a day that is left out where a forecast tells who comes', () => {
    const forecast = { mean: 40, lower: 35, upper: 45 }
    const { content } = makePlan(inputOf({ site: spaceOf('Berlin', { days: [...usual, day(4000)], forecast }) }))
    expect(content.warnings.join()).not.toContain('far more people')
  })

  it('says that more people are counted at once than on the whole day', () => {
    const days = Array.from({ length: 4 }, () => day(20, 200))
    const { content } = makePlan(
      inputOf({ site: spaceOf('Berlin', { days: usual }), floors: [spaceOf('Floor 1', { days })] }),
    )
    expect(content.warnings).toEqual([expect.stringContaining('More people are counted at once in Floor 1 than')])
  })
})
