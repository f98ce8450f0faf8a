import { describe, expect, it } from '@jest/globals'
import { type ForecastInput, forecast } from '../../src/forecast/index.ts'
import { type Recommendation, recommend } from '../../src/recommendations/index.ts'
import { dailyFrom, hourlyFrom, poisson, randomOf, wallClock } from '../forecast/signals.ts'

interface Floor {
  building: string
  floor: string
  capacity: number
  /** The mean attendance by weekday, Monday first. */
  week: number[]
}

/** Five buildings of which is known what should be recommended. */
const floors: Floor[] = [
  // On Fridays either of the first two can be closed, and the people of the emptier one have room on the other.
  { building: 'annex', floor: '1', capacity: 120, week: [80, 85, 80, 82, 15, 0, 0] },
  { building: 'annex', floor: '2', capacity: 120, week: [75, 80, 78, 76, 30, 0, 0] },
  { building: 'annex', floor: '3', capacity: 120, week: [85, 90, 85, 85, 84, 0, 0] },
  // Full on Tuesdays.
  { building: 'lab', floor: '1', capacity: 100, week: [60, 102, 62, 60, 60, 0, 0] },
  // Fridays reach 60 % of the other days.
  { building: 'main', floor: '1', capacity: 200, week: [150, 155, 150, 152, 90, 0, 0] },
  // Even weeks, without any reason for action.
  { building: 'office', floor: '1', capacity: 200, week: [130, 130, 130, 130, 130, 0, 0] },
  { building: 'office', floor: '2', capacity: 200, week: [125, 130, 120, 130, 120, 0, 0] },
  // Half empty on Fridays; no floor of the building has room for the others.
  { building: 'tower', floor: '1', capacity: 100, week: [72, 74, 72, 70, 30, 0, 0] },
  { building: 'tower', floor: '2', capacity: 100, week: [76, 75, 74, 76, 78, 0, 0] },
]

const truth = [
  'consolidation annex/1 friday to annex / 2',
  'capacity_alert lab/1 tuesday',
  'service_level lab/1 monday, wednesday, thursday, friday',
  'service_level main/1 friday',
  'consolidation tower/1 friday',
]

const summaryOf = ({ kind, key, window, figures }: Recommendation): string =>
  `${kind} ${key.building}/${key.floor} ${window.weekdays.join(', ')}` +
  (figures.moved_to === undefined ? '' : ` to ${figures.moved_to}`)

const inputOf = (
  frequency: 'day' | 'hour',
  pointsOf: (floor: Floor) => ForecastInput['series'][number]['points'],
): ForecastInput => ({
  series: floors.map((one) => ({
    key: { building: one.building, floor: one.floor },
    capacity: one.capacity,
    points: pointsOf(one),
  })),
  frequency,
  aggregation: 'sum',
  timezone: 'UTC',
  horizon: frequency === 'day' ? 7 : 168,
})

function summariesOf(input: ForecastInput): string[] {
  const { profiles } = forecast(input)
  return recommend({ profiles, frequency: input.frequency, groupBy: ['building', 'floor'] }).map(summaryOf)
}

describe('recommendations of a building whose truth is known', () => {
  it.each([1, 2, 3])('are found, and no others, in daily counts (seed %d)', (seed) => {
    const random = randomOf(seed)
    const input = inputOf('day', ({ week }) =>
      dailyFrom('2026-01-05', 84, (day) => poisson(random, week[day % 7] ?? 0)),
    )
    expect(summariesOf(input).sort()).toEqual(truth.toSorted())
  })

  it('are found, and no others, in hourly counts', () => {
    const clock = wallClock('UTC')
    const random = randomOf(11)
    const input = inputOf('hour', ({ week }) =>
      hourlyFrom('2026-01-05T00:00Z', 8 * 168, (at) => {
        const { weekday, hour } = clock(at)
        return poisson(random, (week[weekday] ?? 0) * Math.max(0, 1 - Math.abs(hour - 13) / 6))
      }),
    )
    expect(summariesOf(input).sort()).toEqual(truth.toSorted())
  })

  it('orders no meals by the arrivals of the busiest hour', () => {
    const clock = wallClock('UTC')
    const points = hourlyFrom('2026-01-05T00:00Z', 8 * 168, (at) => {
      const { weekday, hour } = clock(at)
      return (weekday === 4 ? 96 : 160) * Math.max(0, 1 - Math.abs(hour - 9) / 4)
    })
    const recommendedOf = (measure: 'level' | 'flow') => {
      const input = { frequency: 'hour', aggregation: 'sum', timezone: 'UTC', horizon: 168 } as const
      const { profiles } = forecast({ ...input, series: [{ key: {}, measure, points }] })
      return recommend({ profiles, frequency: 'hour' })
    }
    const meals = recommendedOf('level').filter(({ kind }) => kind === 'service_level')
    expect(meals.map(({ title }) => title)).toEqual(['Plan less service at the building on Fridays'])
    expect(meals[0]?.rationale).toMatch(/Order meals for \d+ on Fridays instead of \d+ as on/)
    expect(recommendedOf('flow').map(({ kind }) => kind)).not.toContain('service_level')
  })
})
