import { describe, expect, it } from '@jest/globals'
import {
  differenceAutoregression,
  onlineProfile,
  profileAutoregression,
} from '../../../src/forecast/models/autoregressive-models.ts'
import type { History, Model } from '../../../src/forecast/models/model.ts'
import { calendarOf } from '../../../src/forecast/time/calendar.ts'
import { gaussian, officeHours, randomOf } from '../signals.ts'

const calendar = calendarOf('hour')
const weeks = 8
const length = weeks * 168
const roots = { halfLifeWeeks: 2, damping: 0.6, order: 26, recentCells: 672, isSquareRoot: true }

const models: [string, Model][] = [
  ['profile of square roots', profileAutoregression('roots', roots)],
  ['profile', profileAutoregression('plain', { ...roots, isSquareRoot: false })],
  ['online profile', onlineProfile('online', 50)],
  ['daily differences', differenceAutoregression('differences', 24, 50)],
]

/** The first cell is on Monday 1 January 2024, at any hour: the phase is that of the calendar, not of the history. */
function historyOf(valueAt: (hour: number) => number, startHour = 0): History {
  const first = Date.UTC(2024, 0, 1) / 3_600_000 + startHour
  return { first, calendar, values: Float64Array.from({ length }, (_, index) => valueAt(startHour + index)) }
}

const daily = (hour: number): number => 50 + 20 * Math.sin((hour / 12) * Math.PI)
const weekly = (hour: number): number =>
  10 + officeHours({ weekday: Math.floor(hour / 24) % 7, hour: hour % 24, date: '' })

function meanError(forecast: Float64Array, valueAt: (ahead: number) => number): number {
  return forecast.reduce((sum, value, ahead) => sum + Math.abs(value - valueAt(ahead)), 0) / forecast.length
}

describe.each(models)('the model of the %s', (_, model) => {
  it('continues a daily pattern, from any hour', () => {
    for (const startHour of [0, 31]) {
      const forecast = model.predict(historyOf(daily, startHour), 48)
      expect(meanError(forecast, (ahead) => daily(startHour + length + ahead))).toBeLessThan(0.5)
    }
  })

  it('predicts zeros after zeros', () => {
    expect([
      ...model.predict(
        historyOf(() => 0),
        5,
      ),
    ]).toEqual([0, 0, 0, 0, 0])
  })

  it('stays near the level of the last hours after a disturbance that fades slowly', () => {
    const random = randomOf(50)
    let disturbance = 0
    const noise = Array.from({ length }, (__, hour) => {
      disturbance = 0.98 * disturbance + gaussian(random) + (hour === length - 1 ? 20 : 0)
      return disturbance
    })
    const last = noise.at(-1) ?? 0
    const forecast = model.predict(
      historyOf((hour) => daily(hour) + (noise[hour] ?? 0)),
      12,
    )
    expect(meanError(forecast, (ahead) => daily(length + ahead) + last * 0.98 ** (ahead + 1))).toBeLessThan(
      0.6 * Math.abs(last),
    )
  })

  it('stays finite and bounded after a series that grows without bounds', () => {
    const forecast = model.predict(
      historyOf((hour) => 1.01 ** hour),
      500,
    )
    expect(forecast.every((value) => Number.isFinite(value) && value < 1e8)).toBe(true)
  })
})

describe.each(models.slice(0, 3))('the model of the %s', (_, model) => {
  it('continues a weekly pattern, from any hour', () => {
    for (const startHour of [0, 31]) {
      const forecast = model.predict(historyOf(weekly, startHour), 168)
      expect(meanError(forecast, (ahead) => weekly(startHour + length + ahead))).toBeLessThan(2)
    }
  })
})
