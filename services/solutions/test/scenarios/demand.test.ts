import { describe, expect, it } from '@jest/globals'
import { changeDemand, meansByWeekday } from '../../src/scenarios/demand/change-demand.ts'
import { needsAt, sortedByWeekday } from '../../src/scenarios/demand/needs.ts'
import { simulate } from '../../src/scenarios/result/simulate.ts'
import type { ScenarioInput, ScenarioTeam } from '../../src/scenarios/scenario-input.ts'

/** Two weeks of five weekdays, of which one day is a holiday; two paths, the second 2 people above the first. */
const calendar = {
  weekdays: ['mon', 'tue', 'wed', 'thu', 'fri'],
  weekdayOf: [0, 1, 2, 3, 4, 0, 1, 2, -1, 4],
  pathCount: 2,
}
const people = [10, 30, 20, 15, 5]
const paths = Float32Array.from(
  calendar.weekdayOf.flatMap((weekday) => [people[weekday] ?? 1, (people[weekday] ?? 1) + 2]),
)

const team = (more: Partial<ScenarioTeam> = {}): ScenarioTeam => ({
  id: 'team_1',
  name: 'Sales',
  isRemainder: false,
  headcount: 40,
  home: 0,
  fixed: null,
  excluded: [],
  maxFloors: null,
  near: [],
  contingency: 0,
  growth: 1,
  attendance: {},
  paths,
  ...more,
})

const meansOf = (more: Partial<ScenarioTeam>) =>
  meansByWeekday(changeDemand(team(more), calendar), calendar.weekdayOf, 5, 2).map(
    (mean) => Math.round(mean * 100) / 100,
  )

describe('changeDemand', () => {
  it('leaves a team alone, or lets it grow', () => {
    expect(changeDemand(team(), calendar)).toEqual(paths)
    expect(meansOf({})).toEqual([11, 31, 21, 16, 6])
    expect(meansOf({ growth: 1.5 })).toEqual([16.5, 46.5, 31.5, 24, 9])
  })

  it.each([
    ['the members when a path has more', 31, 31],
    ['the members, who grow too', 31, 46.5, 1.5],
    ['its people when a usual day has more than the members', 30, 32],
    ['its people when the members are not known', null, 32],
  ])('has as many people at most as %s', (_, headcount, expected, growth = 1) => {
    expect(Math.max(...changeDemand(team({ headcount, growth }), calendar))).toBe(expected)
  })

  it('raises a week to a minimum of days, and no day above the members', () => {
    // 85 of 120: each day × 120 / 85, but Tuesday at most 40, whose rest goes to the others.
    const raised = meansOf({ attendance: { minDays: 3 } })
    // Paths above the members lose a little more.
    expect(raised.reduce((sum, mean) => sum + mean, 0)).toBeGreaterThan(118)
    expect(Math.max(...raised)).toBeLessThanOrEqual(40)
    // They come more often already.
    expect(meansOf({ attendance: { minDays: 2 } })).toEqual([11, 31, 21, 16, 6])
  })

  it('has all but a tenth of the members on fixed days, and the rest of the week on the others', () => {
    // 36 on Monday; 85 − 36 = 49 in the proportions 31 : 21 : 16 : 6.
    expect(meansOf({ attendance: { fixedDays: [0] } })).toEqual([
      expect.closeTo(36, 0),
      expect.closeTo((49 * 31) / 74, 1),
      expect.closeTo((49 * 21) / 74, 1),
      expect.closeTo((49 * 16) / 74, 1),
      expect.closeTo((49 * 6) / 74, 1),
    ])
  })

  it('spreads a week evenly', () => {
    expect(meansOf({ attendance: { stagger: true } })).toEqual([17, 17, 17, 17, 17])
  })

  it.each([
    { rule: 'an even week', attendance: { stagger: true }, expected: [18, 18, 18, 18, 18] },
    { rule: 'a fixed day', attendance: { fixedDays: [0] }, expected: [36, 18, 18, 18, 0] },
    { rule: 'days that reach the members first', attendance: { minDays: 4 }, expected: [20, 40, 40, 40, 20] },
    { rule: 'all days', attendance: { minDays: 5 }, expected: [40, 40, 40, 40, 40] },
    {
      rule: 'days of a team that never came',
      people: [0, 0, 0, 0, 0],
      attendance: { minDays: 3 },
      expected: [24, 24, 24, 24, 24],
    },
    {
      rule: 'an even week without a headcount',
      headcount: null,
      attendance: { stagger: true },
      expected: [18, 18, 18, 18, 18],
    },
  ])(
    'brings people on weekdays on which none came: $rule',
    ({ people = [0, 30, 30, 30, 0], expected, rule: _, ...more }) => {
      const flat = Float32Array.from(
        calendar.weekdayOf.flatMap((weekday) => [people[weekday] ?? 0, people[weekday] ?? 0]),
      )
      expect(meansOf({ paths: flat, ...more })).toEqual(expected)
    },
  )

  it('does not cut people by a headcount that is out of date', () => {
    for (const attendance of [{ minDays: 1 }, { stagger: true }])
      expect(Math.max(...meansOf({ headcount: 10, attendance }))).toBeGreaterThanOrEqual(17)
    // More come on the fixed day than the members less a tenth.
    expect(meansOf({ headcount: 32, attendance: { fixedDays: [1] } })[1]).toBe(31)
  })
})

describe('needsAt', () => {
  it('has the places for a share of the days of each weekday, and those kept free', () => {
    const sorted = sortedByWeekday([paths], calendar)
    expect(needsAt(sorted, [team()], 0.5)).toEqual([[10, 30, 20, 15, 5]])
    expect(needsAt(sorted, [team()], 1)).toEqual([[12, 32, 22, 17, 7]])
    expect(needsAt(sorted, [team({ contingency: 0.25 })], 1)).toEqual([[15, 40, 27, 21, 9]])
  })
})

describe('simulate', () => {
  const input = {
    ...calendar,
    objective: 'lowest_cost',
    serviceLevel: 0.95,
    seconds: 1,
    teams: [team()],
    floors: [30, 10].map((capacity, at) => ({
      id: `spc_${at}`,
      name: `Floor ${at}`,
      capacity,
      closed: [],
      shut: [],
      annualCost: null,
      currency: null,
      avoidableShare: null,
    })),
  } satisfies ScenarioInput
  const allOn = (places: number[]) => ({ seats: calendar.weekdays.map(() => [places]), open: [] })

  it('counts the days on which a floor is fuller than its capacity', () => {
    // One floor of 30: 32 people on the Tuesdays of the second path, 2 of 18 days of the paths.
    const { serviceLevel, byWeekday, withoutPlace, load } = simulate(input, [paths], allOn([1, 0]))
    expect(serviceLevel).toBeCloseTo(16 / 18, 6)
    expect(byWeekday).toEqual([1, 0.5, 1, 1, 1])
    expect(withoutPlace).toBeCloseTo(4 / 18, 6)
    expect(load[0]?.[1]).toBeCloseTo(31, 6)
    // A quarter sits on the other floor.
    expect(simulate(input, [paths], allOn([3, 1]))).toMatchObject({ serviceLevel: 1, withoutPlace: 0 })
  })

  it('counts the people of teams whose floor is not known', () => {
    const known = simulate(input, [paths], allOn([1, 0]))
    const unknown = simulate(input, [paths], allOn([0, 0]), { countsUnplaced: false })
    expect(known.people[1]).toBeCloseTo(31, 6)
    expect(unknown.people).toEqual(known.people)
    expect(unknown.load[0]?.[1]).toBe(0)
  })

  it('seats those who find their floor full on another one that is open', () => {
    const open = calendar.weekdays.map(() => [true, true])
    const simulated = simulate(input, [paths], { ...allOn([1, 0]), open })
    expect(simulated).toMatchObject({ serviceLevel: 1, withoutPlace: 0, elsewhere: expect.closeTo(4 / 18, 6) })
  })

  it('counts everyone on a floor, also the people of a team without places of its own', () => {
    const open = calendar.weekdays.map(() => [true, true])
    const { load, people } = simulate(input, [paths], { ...allOn([0, 0]), open })
    // By the places of the floors, 30 and 10.
    expect(load.map((days) => days[1])).toEqual([expect.closeTo(23.25, 6), expect.closeTo(7.75, 6)])
    for (const [day, all] of people.entries())
      expect(load.reduce((sum, days) => sum + (days[day] ?? 0), 0)).toBeCloseTo(all, 6)
  })

  it('has room for what a team keeps free', () => {
    // Of 40 places, 32 people and a quarter more are exactly all, and half of them more are not.
    const open = calendar.weekdays.map(() => [true, true])
    const levelOf = (contingency: number) =>
      simulate({ ...input, teams: [team({ contingency })] }, [paths], { ...allOn([1, 0]), open })
    expect(levelOf(0.25)).toMatchObject({ serviceLevel: 1, withoutPlace: 0 })
    expect(levelOf(0.5)).toMatchObject({ byWeekday: [1, 0, 1, 1, 1], withoutPlace: 0 })
  })

  it('counts people of a team without places, unless they are left out', () => {
    expect(simulate(input, [paths], allOn([0, 0])).serviceLevel).toBe(0)
    expect(simulate(input, [paths], allOn([0, 0]), { countsUnplaced: false }).serviceLevel).toBe(1)
  })
})
