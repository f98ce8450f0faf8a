import { describe, expect, it } from '@jest/globals'
import { type ForecastInput, forecast } from '../../src/forecast/index.ts'
import { recommend } from '../../src/recommendations/index.ts'
import { dailyFrom } from '../forecast/signals.ts'

/** Twelve weeks of working days; each has a few more people than the one before. */
const usual = (day: number) => (day % 7 > 4 ? 0 : 80 + (day % 3))

function alertsOf(capacity: number, valueOn: (day: number) => number) {
  const input: ForecastInput = {
    series: [{ key: { building: 'north' }, capacity, points: dailyFrom('2026-01-05', 84, valueOn) }],
    frequency: 'day',
    aggregation: 'sum',
    timezone: 'UTC',
    horizon: 7,
  }
  const { profiles } = forecast(input)
  return recommend({ profiles, frequency: 'day' }).filter(({ kind }) => kind === 'capacity_alert')
}

describe('capacity_alert', () => {
  it.each([
    { history: 'the usual days fill', capacity: 80, valueOn: usual, alerts: 1 },
    { history: 'the usual days leave free', capacity: 120, valueOn: usual, alerts: 0 },
    { history: 'a growth fills', capacity: 120, valueOn: (day: number) => usual(day) * 2 ** (day / 60), alerts: 1 },
    {
      history: 'a typing error on the last Monday fills',
      capacity: 120,
      valueOn: (day: number) => usual(day) * (day === 77 ? 10 : 1),
      alerts: 0,
    },
    { history: 'has no place for its people', capacity: 0, valueOn: usual, alerts: 0 },
    { history: 'has no place and no people', capacity: 0, valueOn: () => 0, alerts: 0 },
  ])('warns $alerts times of a group whose $capacity places $history', ({ capacity, valueOn, alerts }) => {
    const found = alertsOf(capacity, valueOn)
    expect(found).toHaveLength(alerts)
    for (const { severity } of found) expect(severity).toBeLessThan(20)
  })
})
