import { createHash } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { chooseColumns, readTable } from '../../src/demo/csv.ts'
import { createHourReader, sumByHour } from '../../src/demo/hourly-counts.ts'
import { sampleCsv } from '../../src/demo/sample-data.ts'

const table = readTable(sampleCsv())
const perHour = sumByHour(table, chooseColumns(table), createHourReader('UTC')).get('Harbour House') ?? new Map()
/** 0 is Monday; 1970-01-01 was a Thursday. */
const weekdayOf = (hour: number) => (Math.floor(hour / 24) + 3) % 7
const peakOn = (weekday: number) =>
  Math.max(...[...perHour].filter(([hour]) => weekdayOf(hour) === weekday).map(([, value]) => value))

describe('sampleCsv', () => {
  it('gives the same bytes for the same seed', () => {
    expect(createHash('sha256').update(sampleCsv()).digest('hex')).toBe(
      '3c34e513453e22bb0edd6eeac53099c9cf6332a38c6b7c3fa0b67c2f3aed272b',
    )
    expect(sampleCsv({ seed: 21 })).not.toBe(sampleCsv())
  })

  it('has every half hour of twelve weeks', () => {
    expect(table.columns).toEqual(['timestamp', 'building', 'arrivals'])
    expect(table.rows).toHaveLength(12 * 7 * 48)
    expect(table.rows[0]).toEqual(['2026-05-04T00:00:00', 'Harbour House', '0'])
    expect(table.rows.at(-1)?.[0]).toBe('2026-07-26T23:30:00')
    expect(perHour.size).toBe(12 * 7 * 24)
  })

  it('is busy on Wednesdays, quiet on Fridays, and empty at the weekend and at night', () => {
    expect(peakOn(2)).toBeGreaterThan(80)
    expect(peakOn(4)).toBeGreaterThan(10)
    expect(peakOn(4)).toBeLessThan(0.4 * peakOn(2))
    expect([peakOn(5), peakOn(6)]).toEqual([0, 0])
    expect([...perHour].filter(([hour, value]) => hour % 24 < 6 && value > 0)).toEqual([])
  })
})
