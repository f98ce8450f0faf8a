import { expect, test } from '@jest/globals'
import { limitTone } from '../../../web/src/usage/quota-limits.ts'
import { fillSteps, rangeQuery, stepsOf } from '../../../web/src/usage/usage-range.ts'

const now = Date.parse('2026-03-10T15:30:00Z')

test('a range ends with today and has whole days', () => {
  expect(rangeQuery('7d', now)).toEqual({ since: '2026-03-04T00:00:00.000Z', until: '2026-03-11T00:00:00.000Z' })
  expect(rangeQuery('period', now)).toEqual({})
})

test('a range offers the steps that the API reports', () => {
  expect(stepsOf('30d')).toEqual(['hour', 'day'])
  expect(stepsOf('90d')).toEqual(['day', 'month'])
})

test('steps without use are zero, and steps that have not begun are left out', () => {
  const period = { start: '2026-03-08T10:00:00.000Z', end: '2026-04-08T10:00:00.000Z' }
  const groups = [{ start: '2026-03-09T00:00:00.000Z', quantity: 7 }]
  expect(fillSteps(groups, period, 'day', now)).toEqual({
    times: [8, 9, 10].map((day) => Date.UTC(2026, 2, day)),
    quantities: [0, 7, 0],
  })
})

test('months follow the calendar', () => {
  const period = { start: '2025-12-11T00:00:00.000Z', end: '2026-03-11T00:00:00.000Z' }
  const { times } = fillSteps([], period, 'month', now)
  expect(times).toEqual([Date.UTC(2025, 11), Date.UTC(2026, 0), Date.UTC(2026, 1), Date.UTC(2026, 2)])
})

test('a limit warns at 80 percent and is reached at 100', () => {
  expect([79, 80, 99, 100, 101].map((current) => limitTone(current, 100))).toEqual([
    'accent',
    'warning',
    'warning',
    'danger',
    'danger',
  ])
  expect([limitTone(0, 0), limitTone(1, 0)]).toEqual(['accent', 'danger'])
})
