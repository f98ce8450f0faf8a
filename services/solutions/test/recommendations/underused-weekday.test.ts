import { describe, expect, it } from '@jest/globals'
import { type ForecastOutput, forecast } from '../../src/forecast/index.ts'
import { type Recommendation, recommend } from '../../src/recommendations/index.ts'
import { dailyFrom, hourlyFrom, inputOf, type WallClock, wallClock } from '../forecast/signals.ts'

const timezone = 'Europe/Berlin'
const clock = wallClock(timezone)

/** 40 people at the busiest hour, 10 on Fridays, none at weekends. */
function peopleAt({ weekday, hour }: WallClock): number {
  const share = [1, 1, 1, 1, 0.25, 0, 0][weekday] ?? 0
  return share * Math.max(0, 40 - 10 * Math.abs(hour - 12))
}

function recommendFrom(rest: Parameters<typeof inputOf>[1] = {}, threshold?: number): Recommendation[] {
  const input = inputOf(
    hourlyFrom('2024-01-07T23:00Z', 8 * 168, (at) => peopleAt(clock(at))),
    { timezone, ...rest },
  )
  return recommend({ input, output: forecast(input), ...(threshold === undefined ? {} : { threshold }) })
}

describe('underused weekdays', () => {
  it('recommends the Friday with figures, and no closed days', () => {
    const [friday, ...others] = recommendFrom()
    expect(others).toEqual([])
    expect(friday).toMatchObject({
      kind: 'underused_weekday',
      key: { building: 'north' },
      title: 'north is underused on Fridays',
    })
    expect(friday?.figures).toEqual({
      weekday: 'friday',
      peak_forecast: expect.closeTo(10, 6),
      peak_before: 10,
      peak_usual: 40,
      share: expect.closeTo(0.25, 6),
      threshold: 0.4,
      days_considered: 1,
    })
    expect(friday?.rationale).toContain('forecast at 10, 25 % of its usual peak of 40 and under the threshold of 40 %')
  })

  it('compares with the capacity when it is given', () => {
    const found = recommendFrom({ capacity: 200 })
    expect(found.map(({ figures }) => figures.weekday)).toEqual([
      'monday',
      'tuesday',
      'wednesday',
      'thursday',
      'friday',
    ])
    expect(found[0]?.figures).toMatchObject({ capacity: 200, share: expect.closeTo(0.2, 6) })
    expect(found[0]?.figures).not.toHaveProperty('peak_usual')
  })

  it('compares each group with its own capacity, and one without with its usual peak', () => {
    const input = inputOf(
      hourlyFrom('2024-01-07T23:00Z', 8 * 168, (at) => peopleAt(clock(at))),
      { timezone },
    )
    const points = input.series[0]?.points ?? []
    const two = {
      ...input,
      series: [
        { key: { building: 'north' }, capacity: 200, points },
        { key: { building: 'south' }, points },
      ],
    }
    const found = recommend({ input: two, output: forecast(two) })
    const [south, ...others] = found.filter(({ key }) => key.building === 'south')
    expect(others).toEqual([])
    expect(south?.figures).toMatchObject({ weekday: 'friday', peak_usual: 40 })
    expect(JSON.stringify(south)).not.toContain('capacity')
    expect(found.filter(({ key }) => key.building === 'north').map(({ figures }) => figures.capacity)).toEqual(
      Array(5).fill(200),
    )
  })

  it('requires both the forecast and the past weeks to be below the threshold', () => {
    const input = inputOf(
      hourlyFrom('2024-01-07T23:00Z', 8 * 168, (at) => peopleAt(clock(at))),
      { timezone },
    )
    const output = forecast(input)
    const times = (factor: number): ForecastOutput => ({
      series: output.series.map((series) => ({
        ...series,
        points: series.points.map((point) => ({ ...point, mean: point.mean * factor })),
      })),
    })
    const found = (factor: number): string[] =>
      recommend({ input, output: times(factor) }).map(({ figures }) => figures.weekday)
    expect(found(1.5)).toEqual(['friday'])
    expect(found(1.7)).toEqual([])
    expect(found(0.1)).toEqual(['friday'])
  })

  it('uses the given threshold', () => {
    expect(recommendFrom({}, 0.2)).toEqual([])
  })

  it('ignores incomplete days and holidays', () => {
    expect(recommendFrom({ horizon: 24 })).toEqual([])
    expect(recommendFrom({ horizon: 14 * 24 })[0]?.figures.days_considered).toBe(2)
    expect(recommendFrom({ horizon: 14 * 24, holidays: ['2024-03-08'] })[0]?.figures.days_considered).toBe(1)
    expect(recommendFrom({ holidays: ['2024-03-06'] }).map(({ figures }) => figures.weekday)).toEqual(['friday'])
  })

  it('supports daily data, and recommends nothing for weeks or failed series', () => {
    const daily = dailyFrom('2024-01-01', 70, (day) => [100, 100, 90, 95, 20, 0, 0][day % 7] ?? 0)
    const input = inputOf(daily, { frequency: 'day', horizon: 7 })
    const [friday] = recommend({ input, output: forecast(input) })
    expect(friday?.rationale).toContain('The total on the coming Friday is forecast at 20')
    const weeks = inputOf(daily, { frequency: 'week', horizon: 1, aggregation: 'sum' })
    expect(recommend({ input: weeks, output: forecast(weeks) })).toEqual([])
    const short = inputOf(daily.slice(0, 5), { frequency: 'day', horizon: 7 })
    expect(recommend({ input: short, output: forecast(short) })).toEqual([])
  })
})
