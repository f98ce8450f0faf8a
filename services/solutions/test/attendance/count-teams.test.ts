import { describe, expect, it } from '@jest/globals'
import { addStatedTeams, includesLastDay, membershipsOn } from '../../src/attendance/counting/count-teams.ts'
import { factsOf, site } from './made-facts.ts'

/** Teams by position: a division with two teams, and another division. */
const [division, red, blue, other] = [0, 1, 2, 3]
const parents = Int32Array.of(-1, division, division, -1)
const nothingStated = [null, null, null, null]

/** Returns rows of person, team, first and last day; -1 without a bound. */
const people = (...rows: [number, number, number, number][]) =>
  factsOf(
    'people',
    rows.map(([person, team, from, until]) => [person, -1, team, from, until]),
  )

const teamsOn = (day: number, ...lists: ReturnType<typeof people>[]) =>
  Object.fromEntries(membershipsOn(day, lists, parents, nothingStated).teamOf)

describe('includesLastDay', () => {
  it('is told by the people who move from one team to another', () => {
    expect(includesLastDay([people([1, red, 10, 19], [1, blue, 20, -1])])).toBe(true)
    expect(includesLastDay([people([1, red, 10, 20], [1, blue, 20, -1])])).toBe(false)
    // The move may be split over two lists.
    expect(includesLastDay([people([1, red, 10, 20]), people([1, blue, 20, -1])])).toBe(false)
  })

  it('is told by most of them, and true where nothing or as much speaks against it', () => {
    const [next, same] = [people([1, red, 10, 19], [1, blue, 20, -1]), people([2, red, 10, 20], [2, blue, 20, -1])]
    expect(includesLastDay([next, same])).toBe(true)
    expect(includesLastDay([next, same, people([3, red, 10, 20], [3, blue, 20, -1])])).toBe(false)
    expect(includesLastDay([people([1, red, 10, 20], [2, blue, 20, -1])])).toBe(true)
  })
})

describe('membershipsOn', () => {
  it('has a person in one team on each day of a move, with either meaning of until', () => {
    const lastDays = people([1, red, 10, 19], [1, blue, 20, 29])
    expect([9, 10, 19, 20, 29, 30].map((day) => teamsOn(day, lastDays)[1])).toEqual([
      undefined,
      red,
      red,
      blue,
      blue,
      undefined,
    ])
    const endDays = people([1, red, 10, 20], [1, blue, 20, 30])
    expect([9, 10, 19, 20, 29, 30].map((day) => teamsOn(day, endDays)[1])).toEqual([
      undefined,
      red,
      red,
      blue,
      blue,
      undefined,
    ])
  })

  it('takes the membership that began last, and one without a beginning as the oldest', () => {
    expect(teamsOn(50, people([1, red, -1, -1], [1, blue, 20, -1]))).toEqual({ 1: blue })
    expect(teamsOn(50, people([1, red, 30, -1]), people([1, blue, 20, -1]))).toEqual({ 1: red })
    expect(teamsOn(25, people([1, red, 30, -1]), people([1, blue, 20, -1]))).toEqual({ 1: blue })
  })

  it('counts members in their team and in all around it, each person once', () => {
    const list = people([1, red, -1, -1], [1, red, 5, -1], [2, blue, -1, -1], [3, division, -1, -1], [4, other, -1, 9])
    expect(membershipsOn(10, [list], parents, [99, 99, 99, 99]).headcounts).toEqual([3, 1, 1, 0])
  })

  it('leaves out people whose team is not known', () => {
    const list = { ...people([1, red, -1, -1]), teamOf: new Map([[red, -1]]) }
    expect(membershipsOn(10, [list], parents, nothingStated).headcounts).toEqual([null, null, null, null])
  })

  it('lists people whose row is valid on the day, though their team is not known', () => {
    const list = { ...people([1, red, -1, -1], [2, blue, 5, -1], [3, blue, -1, 9]), teamOf: new Map([[red, -1]]) }
    expect([...membershipsOn(10, [list], parents, nothingStated).listed]).toEqual([1, 2])
  })

  it('keeps the stated headcounts of teams that no list names', () => {
    // Team 1 lies in team 0 and is named; team 2 lies there too, and team 3 is alone.
    const list = { ...people([1, red, -1, -1]), teamOf: new Map([[red, 1]]) }
    expect(membershipsOn(10, [list], parents, [99, 99, 8, 7]).headcounts).toEqual([9, 1, 8, 7])
  })

  it('has the stated headcounts without any list, and those of its teams for a team without one', () => {
    const headcounts = (...stated: (number | null)[]) => membershipsOn(10, [], parents, stated).headcounts
    expect(headcounts(null, 12, 8, null)).toEqual([20, 12, 8, null])
    expect(headcounts(25, 12, null, 7)).toEqual([25, 12, null, 7])
    expect(headcounts(null, null, null, 0)).toEqual([null, null, null, 0])
  })
})

describe('teams of rows', () => {
  it('are those of people of whom no list tells a team', () => {
    const rows = factsOf('badge_events', [
      [1, site, red, 540, 1],
      [2, site, blue, 540, 1],
      [3, site, -1, 540, 1],
    ])
    const teamOf = new Map([[1, other]])
    expect([...addStatedTeams(teamOf, [{ ...rows, teamOf: new Map([[blue, blue]]) }])]).toEqual([1, 2])
    expect(Object.fromEntries(teamOf)).toEqual({ 1: other, 2: blue })
  })
})
