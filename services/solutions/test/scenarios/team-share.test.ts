import { expect, it } from '@jest/globals'
import { teamShareOf, teamShareWarnings } from '../../src/scenarios/team-share.ts'

const mondays = ['2026-03-02', '2026-03-09', '2026-03-16', '2026-03-23']
const counted = (spaceId: string, attendance: number[]) =>
  attendance.map((people, at) => ({ spaceId, day: mondays[at] ?? '', attendance: people }))

it('compares the forecast of the teams with the usual days of the spaces', () => {
  // A holiday has no effect.
  const rows = [...counted('a', [100, 0, 100, 100]), ...counted('b', [20, 20, 20, 20])]
  expect(teamShareOf(rows, { mon: 90, tue: 80 })).toBe(0.75)
  expect(teamShareOf(rows, { tue: 80 })).toBeNull()
  expect(teamShareOf([], { mon: 90 })).toBeNull()
})

it('warns of people who are not planned for', () => {
  expect(teamShareWarnings(0.75)[0]).toContain('has 75 % of the people')
  expect([teamShareWarnings(0.9), teamShareWarnings(1.2), teamShareWarnings(null)]).toEqual([[], [], []])
})

it('warns of a plan for far more people than come', () => {
  expect(teamShareWarnings(2.5)).toEqual([expect.stringContaining('has 250 % of the people counted here')])
})
