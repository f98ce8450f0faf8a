import { describe, expect, it } from '@jest/globals'
import { createTimeReader } from '../../../src/runs/series/read-times.ts'

const read = (columns: string[], cells: unknown[], format?: string) => createTimeReader(columns, format).read(cells)

describe('a pair of columns', () => {
  it.each([
    ['2024-01-31', 8, undefined, '2024-01-31T08:00:00'],
    ['2024-01-31', '08:30', undefined, '2024-01-31T08:30:00'],
    ['2024-01-31T00:00:00', '8:30 PM', undefined, '2024-01-31T20:30:00'],
    ['2024-01-31', '0:00-0:59', undefined, '2024-01-31T00:00:00'],
    ['2024-01-31', 24, undefined, '2024-02-01T00:00:00'],
    ['2024-12-31', '24:00', undefined, '2025-01-01T00:00:00'],
    ['31.01.2024', '7', 'DD.MM.YYYY', '2024-01-31T07:00:00'],
    [20240131, 7, 'YYYYMMDD', '2024-01-31T07:00:00'],
    ['2024-01-31', 7, 'DD.MM.YYYY', '2024-01-31T07:00:00'],
    ['31.01.2024', '07:15', 'DD.MM.YYYY HH:mm', '2024-01-31T07:15:00.0'],
  ])('is read in either order when it holds %p and %p', (date, time, format, expected) => {
    expect(read(['date', 'time'], [date, time], format)).toEqual({ ts: expected })
    expect(read(['time', 'date'], [time, date], format)).toEqual({ ts: expected })
  })

  it.each([
    ['31/01/2024', 8, 'date', '31/01/2024'],
    ['2024-01-31', 'morning', 'time', 'morning'],
    ['2024-01-31', 25, 'time', 25],
    ['2024-01-31T09:00:00', 8, 'date', '2024-01-31T09:00:00'],
  ])('names the column at fault when it holds %p and %p', (date, time, column, cell) => {
    expect(read(['date', 'time'], [date, time])).toEqual({ reason: 'time_unreadable', column, cell })
    expect(read(['time', 'date'], [time, date])).toEqual({ reason: 'time_unreadable', column, cell })
  })

  it('names the empty column when one is empty', () => {
    expect(read(['date', 'time'], ['2024-01-31', ' '])).toEqual({ reason: 'time_missing', column: 'time', cell: ' ' })
    expect(read(['date', 'time'], [null, 8])).toEqual({ reason: 'time_missing', column: 'date', cell: null })
  })

  it('warns that hours may be ends when they are 1 to 24', () => {
    const reader = createTimeReader(['date', 'hour'])
    for (let hour = 1; hour <= 24; hour += 1) reader.read(['2024-01-31', hour])
    expect(reader.finish()).toEqual([expect.stringMatching(/^`hour` has the hour 24 and never 0: .*an hour late\.$/)])
    reader.read(['2024-01-31', 0])
    expect(reader.finish()).toEqual([])
  })
})

describe('one column with a format', () => {
  it('reads stored times of ISO 8601 when the file had the format', () => {
    const reader = createTimeReader(['time'], 'DD.MM.YYYY HH:mm')
    expect(reader.read(['2024-01-31T08:00:00'])).toEqual({ ts: '2024-01-31T08:00:00' })
    expect(reader.read(['31.01.2024 08:00'])).toEqual({ ts: '2024-01-31T08:00:00.0' })
    expect(reader.finish()).toEqual([])
  })

  it('is refused when it reads stored times of ISO 8601 otherwise', () => {
    const reader = createTimeReader(['time'], 'YYYY-DD-MM')
    reader.read(['2024-05-06'])
    expect(() => reader.finish()).toThrow(
      "`time`: times of ISO 8601, such as '2024-05-06', are read otherwise by `YYYY-DD-MM`; omit timestamp_format",
    )
    reader.read(['2024-31-05'])
    expect(reader.finish()).toEqual([])
  })
})
