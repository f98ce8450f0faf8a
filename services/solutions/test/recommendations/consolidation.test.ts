import { describe, expect, it } from '@jest/globals'
import { type ForecastInput, forecast } from '../../src/forecast/index.ts'
import { type Recommendation, recommend } from '../../src/recommendations/index.ts'
import { dailyFrom, hourlyFrom, inputOf, type WallClock, wallClock } from '../forecast/signals.ts'

const timezone = 'Europe/Berlin'
const clock = wallClock(timezone)

/** 40 people at the busiest hour, 10 on Fridays, none at weekends. */
function peopleAt({ weekday, hour }: WallClock): number {
  const share = [1, 1, 1, 1, 0.25, 0, 0][weekday] ?? 0
  return share * Math.max(0, 40 - 10 * Math.abs(hour - 12))
}

const points = hourlyFrom('2024-01-07T23:00Z', 8 * 168, (at) => peopleAt(clock(at)))
const profilesOf = (input: ForecastInput) => ({ profiles: forecast(input).profiles, frequency: input.frequency })

function recommendFrom(rest: Parameters<typeof inputOf>[1] = {}, threshold?: number): Recommendation[] {
  return recommend({ ...profilesOf(inputOf(points, { timezone, ...rest })), threshold })
}

describe('a consolidation without a move', () => {
  it('names the Friday with figures, and no closed days', () => {
    const [friday, ...others] = recommendFrom()
    expect(others).toEqual([])
    expect(friday).toMatchObject({
      kind: 'consolidation',
      key: { building: 'north' },
      title: 'north is underused on Fridays',
      window: { from: '2024-03-07T23:00:00.000Z', until: '2024-03-08T23:00:00.000Z', weekdays: ['friday'] },
      expectedEffect: { quantity: 1, unit: 'days_per_week' },
      confidence: 0.9,
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
    expect(friday?.rationale).toBe(
      'The busiest hour on the coming Friday is forecast at 10, 25 % of its usual peak of 40 and under the threshold of ' +
        '40 %. Over the last 8 Fridays it was typically 10. Consider opening fewer floors on Fridays.',
    )
  })

  it('names all underused weekdays at once, compared with the capacity when it is given', () => {
    const [all, ...others] = recommendFrom({ capacity: 200 })
    expect(others).toEqual([])
    expect(all?.title).toBe('north is underused on Mondays, Tuesdays, Wednesdays, Thursdays and Fridays')
    expect(all?.window.weekdays).toEqual(['monday', 'tuesday', 'wednesday', 'thursday', 'friday'])
    expect(all?.figures).toMatchObject({ capacity: 200, share: expect.closeTo(0.2, 6), days_considered: 5 })
    expect(all?.figures).not.toHaveProperty('peak_usual')
  })

  it('compares a group without a capacity with its usual peak', () => {
    const series = [
      { key: { building: 'north' }, capacity: 200, points },
      { key: { building: 'south' }, points },
    ]
    const found = recommend(profilesOf({ ...inputOf(points, { timezone }), series }))
    // North has room for the people of south, all week.
    const [south, ...others] = found.filter(({ key }) => key.building === 'south')
    expect(others).toEqual([])
    expect(south?.figures).toMatchObject({ weekday: 'friday', peak_usual: 40, moved_to: 'north' })
    expect(south?.figures).not.toHaveProperty('capacity')
  })

  it.each([
    [1.5, ['friday']],
    [1.7, []],
    [0.3, ['friday']],
  ])(
    'requires both the forecast and the past weeks to be below the threshold (forecast times %d)',
    (factor, expected) => {
      const { profiles, frequency } = profilesOf(inputOf(points, { timezone }))
      const scaled = profiles.map(
        (profile) =>
          profile && {
            ...profile,
            coming: profile.coming.map((day) => ({ ...day, peak: day.peak * factor, quantiles: [] })),
          },
      )
      const found = recommend({ profiles: scaled, frequency }).filter(({ kind }) => kind === 'consolidation')
      expect(found.flatMap(({ window }) => window.weekdays)).toEqual(expected)
    },
  )

  it('uses the given threshold', () => {
    expect(recommendFrom({}, 0.2).filter(({ kind }) => kind === 'consolidation')).toEqual([])
  })

  it('ignores incomplete days and holidays', () => {
    expect(recommendFrom({ horizon: 24 })).toEqual([])
    expect(recommendFrom({ horizon: 14 * 24 })[0]?.figures.days_considered).toBe(2)
    expect(recommendFrom({ horizon: 14 * 24, holidays: ['2024-03-08'] })[0]?.figures.days_considered).toBe(1)
    expect(recommendFrom({ holidays: ['2024-03-06'] }).flatMap(({ window }) => window.weekdays)).toEqual(['friday'])
  })

  it('supports daily data, and recommends nothing for weeks or failed series', () => {
    const daily = dailyFrom('2024-01-01', 70, (day) => [100, 100, 90, 95, 20, 0, 0][day % 7] ?? 0)
    const [friday] = recommend(profilesOf(inputOf(daily, { frequency: 'day', horizon: 7 })))
    expect(friday?.rationale).toContain('The total on the coming Friday is forecast at 20')
    expect(recommend(profilesOf(inputOf(daily, { frequency: 'week', horizon: 1 })))).toEqual([])
    expect(recommend(profilesOf(inputOf(daily.slice(0, 5), { frequency: 'day', horizon: 7 })))).toEqual([])
  })
})
