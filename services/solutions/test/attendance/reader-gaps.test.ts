import { describe, expect, it } from '@jest/globals'
import { gapsOf as gapsWithin } from '../../src/attendance/reader-gaps.ts'
import { dayOf } from '../../src/workplace/local-days.ts'

const monday = dayOf('2026-03-02')
const weeks = 6
const workdays = Array.from({ length: weeks * 7 }, (_, at) => monday + at).filter((day) => (day - monday) % 7 < 5)

type Rows = Parameters<typeof gapsWithin>[0][number]

const gapsOf = (rows: readonly Rows[], holidays: readonly number[] = []) =>
  gapsWithin(rows, { first: monday, last: monday + weeks * 7 - 1, isHoliday: (day) => holidays.includes(day) })

/** Returns rows of some readers on every workday. @param change alters or removes a row */
const made = (readers: Record<number, number>, change: (row: Rows) => Partial<Rows> | null = () => ({})): Rows[] =>
  workdays.flatMap((day) =>
    Object.entries(readers).flatMap(([valueId, rows]) => {
      const row = { valueId: Number(valueId), day, rows, hasFailed: false }
      const changed = change(row)
      return changed === null ? [] : [{ ...row, ...changed }]
    }),
  )

describe('gapsOf', () => {
  it('has nothing of readers that work, nor of holidays', () => {
    const holiday = monday + 8
    expect(gapsOf([])).toEqual([])
    expect(gapsOf(made({ 1: 100, 2: 80, 3: 60 }))).toEqual([])
    expect(
      gapsOf(
        made({ 1: 100, 2: 80, 3: 60 }, ({ day }) => (day === holiday ? null : {})),
        [holiday],
      ),
    ).toEqual([])
    // Few came on the bridge day, by one door.
    expect(
      gapsOf(
        made({ 1: 100, 2: 80, 3: 60 }, ({ day, valueId }) =>
          day !== holiday ? {} : valueId === 1 ? { rows: 12 } : null,
        ),
      ),
    ).toEqual([])
  })

  it('joins the silent days of a reader over a weekend, and ends with the day after the last', () => {
    // From Thursday of the second week to Monday of the third: 3 workdays with 80 rows each.
    const [since, until] = [monday + 10, monday + 15]
    const rows = made({ 1: 100, 2: 80, 3: 60 }, ({ day, valueId }) =>
      valueId === 2 && day >= since && day < until ? null : {},
    )
    expect(gapsOf(rows)).toEqual([{ valueId: 2, since, until, expectedRows: 240 }])
  })

  it('has two gaps where the reader worked between, and none of a reader that is rarely used', () => {
    const rows = made({ 1: 100, 2: 80, 3: 9 }, ({ day, valueId }) =>
      (valueId === 2 && (day === monday + 7 || day === monday + 9)) || (valueId === 3 && day === monday + 7)
        ? null
        : {},
    )
    expect(gapsOf(rows).map(({ valueId, since, until }) => [valueId, since - monday, until - monday])).toEqual([
      [2, 7, 8],
      [2, 9, 10],
    ])
  })

  it('finds the workdays on which all readers of a site were silent, and those of its only one', () => {
    // A week is missing in the file.
    const [since, until] = [monday + 7, monday + 12]
    const isMissing = ({ day }: Rows) => (day >= since && day < until ? null : {})
    expect(gapsOf(made({ 1: 100, 2: 80 }, isMissing))).toEqual([
      { valueId: 1, since, until, expectedRows: 500 },
      { valueId: 2, since, until, expectedRows: 400 },
    ])
    expect(gapsOf(made({ 1: 100 }, isMissing))).toEqual([{ valueId: 1, since, until, expectedRows: 500 }])
  })

  it('takes a counter that failed as silent', () => {
    const rows = made({ 1: 100, 2: 80 }, ({ day, valueId }) =>
      valueId === 2 && day === monday + 7 ? { hasFailed: true } : {},
    )
    expect(gapsOf(rows)).toEqual([{ valueId: 2, since: monday + 7, until: monday + 8, expectedRows: 80 }])
  })

  it('takes what is usual from the same weekday', () => {
    // The reader is used on Mondays alone.
    const rows = made({ 1: 100, 2: 80 }, ({ day, valueId }) =>
      valueId === 2 && ((day - monday) % 7 !== 0 || day === monday + 14) ? null : {},
    )
    expect(gapsOf(rows)).toEqual([{ valueId: 2, since: monday + 14, until: monday + 15, expectedRows: 80 }])
  })

  it('takes weeks without one weekday as a floor or a site that closes on it, and shorter or longer ones as a fault', () => {
    const fridays = (from: number) => (day: number) => day >= monday + 7 * from && (day - monday) % 7 === 4
    const closed = (isClosed: (day: number) => boolean, readers = [2]) =>
      gapsOf(
        made({ 1: 100, 2: 80 }, ({ day, valueId }) => (readers.includes(valueId) && isClosed(day) ? null : {})),
      ).map(({ valueId, since, until }) => [valueId, since - monday, until - monday])
    // Of six weeks, the last three; the first two that it is closed may be a fault.
    expect(closed(fridays(3))).toEqual([])
    expect(closed(fridays(3), [1, 2])).toEqual([])
    expect(closed(fridays(4))).toEqual([
      [2, 32, 33],
      [2, 39, 40],
    ])
    expect(closed((day) => day >= monday + 21)).toEqual([[2, 21, 40]])
  })

  it('finds a main entrance that was silent while the others worked', () => {
    const rows = made({ 1: 300, 2: 40, 3: 30 }, ({ day, valueId }) => (valueId === 1 && day === monday + 8 ? null : {}))
    expect(gapsOf(rows)).toEqual([{ valueId: 1, since: monday + 8, until: monday + 9, expectedRows: 300 }])
  })
})
