import { expect, it } from '@jest/globals'
import { coverageOf, coverageWarnings } from '../../src/scenarios/coverage.ts'

const mondays = ['2026-03-02', '2026-03-09', '2026-03-16', '2026-03-23']
const counted = (spaceId: string, attendance: number[]) =>
  attendance.map((people, at) => ({ spaceId, day: mondays[at] ?? '', attendance: people }))

it('compares the forecast of the teams with the usual days of the spaces', () => {
  // A holiday has no effect.
  const rows = [...counted('a', [100, 0, 100, 100]), ...counted('b', [20, 20, 20, 20])]
  expect(coverageOf(rows, { mon: 90, tue: 80 })).toBe(0.75)
  expect(coverageOf(rows, { tue: 80 })).toBeNull()
  expect(coverageOf([], { mon: 90 })).toBeNull()
})

it('warns of people who are not planned for', () => {
  expect(coverageWarnings(0.75)[0]).toContain('has 75 % of the people')
  expect([coverageWarnings(0.9), coverageWarnings(1.2), coverageWarnings(null)]).toEqual([[], [], []])
})
