import { describe, expect, it } from '@jest/globals'
import { readTable } from '../read-table.ts'
import { calendarOf } from './write-calendar.ts'

const read = (text: string) => readTable(text, { contentType: 'text/calendar' })
const startIn = async (tzid: string, ...components: string[][]) => {
  const times = ['20260115T090000', '20260715T090000'].map((time, at) => [`UID:${at}`, `DTSTART;TZID=${tzid}:${time}`])
  const { values, refused } = await read(calendarOf(...times, ...components))
  return refused.length > 0 ? refused : values.map(({ start }) => start)
}

/** Times two hours after UTC, and three from the last Sunday of March to that of October. */
const customZone = (tzid: string, location: string[] = []) => [
  ...['BEGIN:VTIMEZONE', `TZID:${tzid}`, ...location],
  ...['BEGIN:STANDARD', 'DTSTART:16010101T040000', 'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10'],
  ...['TZOFFSETFROM:+0300', 'TZOFFSETTO:+0200', 'END:STANDARD'],
  ...['BEGIN:DAYLIGHT', 'DTSTART:16010101T030000', 'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3'],
  ...['TZOFFSETFROM:+0200', 'TZOFFSETTO:+0300', 'END:DAYLIGHT', 'END:VTIMEZONE'],
]

describe('time zones of a calendar', () => {
  it.each([
    ['Europe/Berlin', '2026-01-15T09:00:00+01:00', '2026-07-15T09:00:00+02:00'],
    ['W. Europe Standard Time', '2026-01-15T09:00:00+01:00', '2026-07-15T09:00:00+02:00'],
    ['"Eastern Standard Time"', '2026-01-15T09:00:00-05:00', '2026-07-15T09:00:00-04:00'],
    ['/example.org/20260101_1/Europe/Berlin', '2026-01-15T09:00:00+01:00', '2026-07-15T09:00:00+02:00'],
    ['/example.org/America/Argentina/Buenos_Aires', '2026-01-15T09:00:00-03:00', '2026-07-15T09:00:00-03:00'],
    ['Asia/Kolkata', '2026-01-15T09:00:00+05:30', '2026-07-15T09:00:00+05:30'],
  ])('are known by the name %s', async (tzid, winter, summer) => {
    expect(await startIn(tzid)).toEqual([winter, summer])
  })

  it('that only the calendar knows have its rules, wherever they stand in it', async () => {
    expect(await startIn('Customized Time Zone', customZone('Customized Time Zone'))).toEqual([
      '2026-01-15T09:00:00+02:00',
      '2026-07-15T09:00:00+03:00',
    ])
  })

  it('that only the calendar knows change at the hours of their rules', async () => {
    const times = ['20260329T023000', '20260329T043000', '20261025T023000', '20261025T043000']
    const events = times.map((time, at) => [`UID:${at}`, `DTSTART;TZID=Own:${time}`])
    const { values } = await read(calendarOf(customZone('Own'), ...events))
    expect(values.map(({ start }) => start)).toEqual([
      '2026-03-29T02:30:00+02:00',
      '2026-03-29T04:30:00+03:00',
      '2026-10-25T02:30:00+03:00',
      '2026-10-25T04:30:00+02:00',
    ])
  })

  it('with a location of the database have its offsets', async () => {
    expect(await startIn('Own', customZone('Own', ['X-LIC-LOCATION:Europe/Berlin']))).toEqual([
      '2026-01-15T09:00:00+01:00',
      '2026-07-15T09:00:00+02:00',
    ])
  })

  it('belong to their calendar', async () => {
    const { values, refused } = await read(
      calendarOf(customZone('Own'), ['UID:a', 'DTSTART;TZID=Own:20260115T090000']) +
        calendarOf(['UID:b', 'DTSTART;TZID=Own:20260115T090000']),
    )
    expect(values.map(({ uid }) => uid)).toEqual(['a'])
    expect(refused).toMatchObject([{ reason: 'event: the time zone "Own" is not known' }])
  })

  it.each(['Mars/Base', '+01', 'constructor'])('with the unknown name %s are refused', async (tzid) => {
    const reason = `event: the time zone "${tzid}" is not known`
    expect(await startIn(tzid)).toMatchObject([{ reason }, { reason }])
  })
})
