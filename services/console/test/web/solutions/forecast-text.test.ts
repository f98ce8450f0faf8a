import { describe, expect, test } from '@jest/globals'
import {
  formatClosures,
  formatDayKinds,
  parseClosures,
  parseDates,
  parseDayKinds,
} from '../../../web/src/solutions/forecasts/new/forecast-text.ts'
import { parseSeries } from '../../../web/src/solutions/forecasts/new/parse-series.ts'

describe('lists of dates', () => {
  test('are separated by commas, spaces or lines', () => {
    expect(parseDates('2026-12-24, 2026-12-25\n2026-12-26 2026-12-31')).toHaveLength(4)
    expect(() => parseDates('2026-12-24\n24.12.')).toThrow('Line 2: “24.12.” is not a date')
  })

  test('of closures have groups after a colon, and can be written back', () => {
    const closures = [{ dates: ['2026-12-24', '2026-12-31'] }, { dates: ['2026-11-27'], groups: ['north', 'south'] }]
    expect(parseClosures('2026-12-24, 2026-12-31\n2026-11-27: north, south')).toEqual(closures)
    expect(parseClosures(formatClosures(closures))).toEqual(closures)
  })

  test('of kinds of days have a name before the last colon, and can be written back', () => {
    const kinds = [{ name: 'fair: spring', dates: ['2026-05-15'] }]
    expect(parseDayKinds('fair: spring: 2026-05-15')).toEqual(kinds)
    expect(parseDayKinds(formatDayKinds(kinds))).toEqual(kinds)
    expect(() => parseDayKinds('2026-05-15')).toThrow('Line 1: write a name')
  })
})

describe('parseSeries', () => {
  test('reads times and values of one series, with a gap', () => {
    expect(parseSeries('2026-11-02, 84\n2026-11-03,\n')).toEqual([
      {
        key: {},
        points: [
          { ts: '2026-11-02', value: 84 },
          { ts: '2026-11-03', value: null },
        ],
      },
    ])
  })

  test('divides rows by group, under the name of its column', () => {
    const series = parseSeries('time\tsite\tvalue\n2026-11-02\tnorth\t1\n2026-11-02\tsouth\t2\n2026-11-03\tnorth\t3')
    expect(series.map(({ key, points }) => [key, points.length])).toEqual([
      [{ site: 'north' }, 2],
      [{ site: 'south' }, 1],
    ])
  })

  test('names the line that cannot be read', () => {
    expect(() => parseSeries('2026-11-02;84\n2026-11-03;many')).toThrow('Line 2: “many” is not a number')
    expect(() => parseSeries('2026-11-02,84\n2026-11-03,a,84')).toThrow('Line 2: has 3 columns')
    expect(() => parseSeries('84')).toThrow('Line 1: write a time and a value')
    expect(() => parseSeries('2026-11-01;0x10')).toThrow('Line 1: “0x10” is not a number')
  })

  test('refuses one point before three figures unless another value has decimals', () => {
    expect(() => parseSeries('2026-11-01;1.234\n2026-11-02;987')).toThrow('Line 1: “1.234” can be read in two ways')
    const values = (text: string) => parseSeries(text)[0]?.points.map(({ value }) => value)
    expect(values('2026-11-01;1.234\n2026-11-02;98.7\n2026-11-03;1e3')).toEqual([1.234, 98.7, 1000])
    expect(values('2026-11-01;-1.234\n2026-11-02;0.125')).toEqual([-1.234, 0.125])
  })
})
