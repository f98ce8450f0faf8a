import { describe, expect, it } from '@jest/globals'
import { forecastCsv, forecastJson, forecastName } from '../../src/content/forecast-content.ts'

const textOf = (chunks: Iterable<Uint8Array>): string => Buffer.concat([...chunks]).toString('utf8')

describe('the content of a run', () => {
  const point = (ts: string, mean: number) => ({ upper_80: mean + 1, ts, lower_80: mean - 1, mean })
  const series = [
    { key: { building: 'no"rth', ts: '=x' }, points: [point('2026-03-16T00:00:00.000Z', 7.25)] },
    { key: { building: 'south', floor: '2' }, points: [] },
    { key: { building: 'south', floor: '1' }, points: [point('2026-03-16T00:00:00.000Z', -3)] },
  ]

  it('has one row for each point as CSV', () => {
    expect(textOf(forecastCsv(series))).toBe(
      'building,key_ts,floor,ts,mean,lower_80,upper_80\r\n' +
        `"no""rth",'=x,,2026-03-16T00:00:00.000Z,7.25,6.25,8.25\r\n` +
        'south,,1,2026-03-16T00:00:00.000Z,-3,-4,-2\r\n',
    )
  })

  it('opens in the spreadsheets of the reader when the locale is known', () => {
    const reader = { locale: 'de-DE', timezone: 'UTC', frequency: 'hour' } as const
    expect(textOf(forecastCsv(series, reader)).split('\r\n').slice(0, 2)).toEqual([
      '\ufeffbuilding;ts;floor;time;expected;from (80 %);to (80 %)',
      `"no""rth";'=x;;2026-03-16 00:00;7,25;6,25;8,25`,
    ])
  })

  it('has the days of the time zone of the run, and their name, when the locale is known', () => {
    const reader = { locale: 'en-GB', timezone: 'Europe/Berlin', frequency: 'day' } as const
    const days = (name: string) => ({ key: { name }, points: [point('2026-11-27T23:00:00.000Z', 7)] })
    expect(textOf(forecastCsv([days('Rhein')], reader))).toContain('\r\nRhein,2026-11-28,7,6,8\r\n')
    expect(forecastName([days('Rhein'), days('Rhein / EG')], reader, 'csv')).toBe('Forecast of Rhein – 2026-11-28.csv')
    expect(forecastName([days('Rhein'), days('Main')], reader, 'csv')).toBe('Forecast – 2026-11-28.csv')
  })

  it('has all rows of a long series', () => {
    const points = Array.from({ length: 1_234 }, (_, hour) => point(new Date(hour * 3_600_000).toISOString(), hour))
    const rows = textOf(forecastCsv([{ key: {}, points }])).split('\r\n')
    expect(rows).toHaveLength(1 + 1_234 + 1)
    expect(rows.slice(1, -1).map((row) => Number(row.split(',')[1]))).toEqual(points.map(({ mean }) => mean))
  })

  it('is an array of keys and points as JSON', () => {
    expect(JSON.parse(textOf(forecastJson(series)))).toEqual(series)
    expect(JSON.parse(textOf(forecastJson([])))).toEqual([])
  })
})
