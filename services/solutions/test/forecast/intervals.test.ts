import { describe, expect, it } from '@jest/globals'
import { forecast } from '../../src/forecast/index.ts'
import { boundsOf, gaussian, hourlyFrom, inputOf, officeHours, poisson, randomOf, wallClock } from './signals.ts'

const clock = wallClock('UTC')
const start = '2024-01-01T00:00Z'
const hours = 8 * 168
const horizon = 168

/** Simulated series with known noise; the last week is held out. */
const signals: Record<string, (random: () => number, instant: number) => number> = {
  'counts, with a few people at night': (random, at) => poisson(random, officeHours(clock(at)) + 0.5),
  'the same noise at every hour': (random, at) =>
    100 + 20 * Math.sin((clock(at).hour / 24) * 2 * Math.PI) + 8 * gaussian(random),
  'noise in proportion': (random, at) => (20 + officeHours(clock(at))) * Math.exp(0.2 * gaussian(random)),
}

describe.each(Object.entries(signals))('%s', (_, signal) => {
  const held = { 80: 0, 95: 0 }
  const reported = { 80: 0, 95: 0 }
  const seeds = [11, 12, 13]
  for (const seed of seeds) {
    const random = randomOf(seed)
    const all = hourlyFrom(start, hours + horizon, (at) => signal(random, at))
    const [series] = forecast(inputOf(all.slice(0, hours), { horizon })).series
    series?.points.forEach((point, ahead) => {
      const actual = all[hours + ahead]?.value ?? Number.NaN
      for (const percent of [80, 95] as const) {
        const [lower, upper] = boundsOf(point, percent)
        if (lower <= actual && actual <= upper) held[percent] += 1 / (horizon * seeds.length)
      }
    })
    reported[80] += (series?.accuracy?.coverage_80 ?? Number.NaN) / seeds.length
    reported[95] += (series?.accuracy?.coverage_95 ?? Number.NaN) / seeds.length
  }

  it.each([80, 95] as const)(
    'the %i %% interval has its nominal coverage, and the reported coverage agrees',
    (percent) => {
      expect(Math.abs(held[percent] - percent / 100)).toBeLessThan(0.05)
      expect(Math.abs(reported[percent] - percent / 100)).toBeLessThan(0.03)
    },
  )
})

it('intervals are narrow at night and wide at noon', () => {
  const random = randomOf(20)
  const points = hourlyFrom(start, hours, (at) => poisson(random, officeHours(clock(at)) + 0.1))
  const [series] = forecast(inputOf(points, { horizon: 24 })).series
  const width = (hour: number): number => {
    const [lower, upper] = boundsOf(series?.points[hour] ?? { ts: '', mean: 0 }, 80)
    return upper - lower
  }
  expect(width(3)).toBeLessThan(3)
  expect(width(11)).toBeGreaterThan(8)
})

it('intervals of random walks grow with the lead time', () => {
  const width = { early: 0, late: 0 }
  for (const seed of [21, 22, 23, 24, 25, 26]) {
    const random = randomOf(seed)
    let level = 0
    const points = hourlyFrom(start, hours, () => {
      level += gaussian(random)
      return 500 + level
    })
    const [series] = forecast(inputOf(points, { horizon })).series
    const widthAt = (ahead: number): number => {
      const [lower, upper] = boundsOf(series?.points[ahead] ?? { ts: '', mean: 0 }, 80)
      return upper - lower
    }
    width.early += widthAt(2)
    width.late += widthAt(160)
  }
  expect(width.late).toBeGreaterThan(1.4 * width.early)
})
