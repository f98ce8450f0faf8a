import { describe, expect, it } from '@jest/globals'
import { findUnmarkedSpaces, meaningOfUses } from '../../src/attendance/counting/booking-uses.ts'
import { createZoneOffset } from '../../src/datasets/read-cells.ts'
import { type CountedKind, createRowReader } from '../../src/datasets/read-row.ts'
import type { Cells } from '../../src/datasets/row-times.ts'
import { dayOf } from '../../src/workplace/local-days.ts'

const zones = { utc: createZoneOffset('UTC'), tokyo: createZoneOffset('Asia/Tokyo') }
const readAll = (kind: CountedKind, cells: Cells) =>
  createRowReader(kind, (space) => (space === 'Tokyo' ? zones.tokyo : zones.utc))(cells)
/** Reads a row that is one fact at most. */
const read = (kind: CountedKind, cells: Cells) => {
  const facts = readAll(kind, cells)
  if ('reason' in facts) return facts
  expect(facts).toHaveLength(1)
  return facts[0]
}

const day = dayOf('2026-03-05')
const names = { person: undefined, space: undefined, team: undefined }

describe('rows of badge events', () => {
  const cells = { person: 'P1', space: 'Door', time: '2026-03-05T08:30:00Z', direction: 'in' }

  it('become facts with the second in the zone of their space', () => {
    const fact = { ...names, person: 'P1', day, isInstant: true }
    expect(read('badge_events', cells)).toEqual({ ...fact, space: 'Door', numbers: [30_600, 1] })
    expect(read('badge_events', { ...cells, space: 'Tokyo' })).toEqual({
      ...fact,
      space: 'Tokyo',
      numbers: [63_000, 1],
    })
    expect(read('badge_events', { ...cells, space: 'Tokyo', time: '2026-03-05T16:00:00Z' })).toMatchObject({
      day: day + 1,
      numbers: [3_600, 1],
    })
  })

  it('have no direction when only other readers have one in their names', () => {
    const directionOf = (reader: string) => read('badge_events', { ...cells, space: reader, direction: reader })
    expect(directionOf('Door 2 OUT')).toMatchObject({ numbers: [30_600, 2] })
    expect(directionOf('Gate')).toMatchObject({ numbers: [30_600, 0] })
  })

  it('name their space within their building where the file has one', () => {
    const spaceOf = (change: Cells) => read('badge_events', { ...cells, ...change })
    expect(spaceOf({ space: 1, building: ' North' })).toMatchObject({ space: 'North / 1' })
    expect(spaceOf({ building: '' })).toMatchObject({ space: 'Door' })
    expect(spaceOf({ space: '', building: 'North' })).toEqual({ reason: 'space_missing', example: null })
  })

  it.each([
    [{ person: ' ' }, 'person_missing', null],
    [{ person: '#N/A' }, 'person_missing', null],
    [{ person: 'NULL' }, 'person_missing', null],
    [{ space: null }, 'space_missing', null],
    [{ time: '' }, 'time_missing', null],
    [{ time: 'soon' }, 'time_unreadable', 'soon'],
    [{ time: '2126-03-05' }, 'time_unreadable', '2126-03-05'],
    [{ direction: 'denied' }, 'direction_unknown', 'denied'],
  ])('with %p are not used: %s', (change, reason, example) => {
    expect(read('badge_events', { ...cells, ...change })).toEqual({ reason, example })
  })
})

describe('rows of attendance', () => {
  it('have the local day of their date or time', () => {
    const cells = { person: 7, space: 'Tokyo', team: 'A' }
    expect(read('attendance_days', { ...cells, date: '2026-03-05' })).toEqual({
      person: '7',
      space: 'Tokyo',
      team: 'A',
      day,
      numbers: [],
      isInstant: false,
    })
    expect(read('attendance_days', { ...cells, date: '2026-03-05T15:00:00Z' })).toMatchObject({
      day: day + 1,
      isInstant: true,
    })
    expect(read('attendance_days', cells)).toEqual({ reason: 'date_missing', example: null })
  })
})

describe('rows of bookings', () => {
  const cells = { space: 'Room', start: '2026-03-05T09:00', end: '2026-03-05T10:30' }

  it('state attendees, use and cancellation only where the file has them', () => {
    expect(read('bookings', cells)).toMatchObject({ day, numbers: [540, 630, -1, -1, 0] })
    expect(read('bookings', { ...cells, attendees: '4', checked_in: '', cancelled: 'x' })).toMatchObject({
      numbers: [540, 630, 4, 2, 1],
    })
    expect(read('bookings', { ...cells, checked_in: 'attended', cancelled: 'attended' })).toMatchObject({
      numbers: [540, 630, -1, 1, 0],
    })
  })

  it.each([
    ['Yes', 0],
    ['no', 1],
    [true, 0],
    ['', 2],
    ['no_show', 0],
    ['attended', 1],
  ])('with %p in a column No-show have the use %i', (cell, used) => {
    const facts = createRowReader('bookings', () => zones.utc, { checked_in: 'No-show' })({
      ...cells,
      checked_in: cell,
    })
    expect(facts).toMatchObject([{ numbers: [expect.any(Number), expect.any(Number), expect.any(Number), used, 0] }])
  })

  it.each([
    ['Confirmed', ['no_show'], 1],
    ['Confirmed', ['checked_in'], 0],
    ['Confirmed', ['checked_in', 'no_show'], -1],
    ['Confirmed', [], -1],
    ['Nicht erschienen', ['no_show'], 0],
    ['No presentado', ['checked_in', 'no_show'], 0],
    ['Completed', ['checked_in', 'no_show'], 1],
  ])('with the state %p as %j have the use %i', (state, roles, used) => {
    const stated = Object.fromEntries([...roles, 'cancelled'].map((role) => [role, state]))
    expect(readAll('bookings', { ...cells, ...stated })).toMatchObject([{ numbers: [540, 630, -1, used, 0] }])
  })

  const noUses = { used: 0, unused: 0, blank: 0 }
  it.each([
    // Yes and blanks; with a slip; a blank beside both; nothing but blanks; few marks.
    ['checked_in', { used: 60, blank: 30 }, true],
    ['checked_in', { used: 60, blank: 30, unused: 1 }, true],
    ['checked_in', { used: 60, blank: 30, unused: 8 }, false],
    ['checked_in', { used: 6, blank: 300 }, false],
    ['checked_in', { blank: 30 }, false],
    ['checked_in', { blank: 30, unused: 30 }, false],
    ['no_show', { unused: 9, blank: 80 }, true],
    ['no_show', { unused: 9, blank: 80, used: 9 }, false],
    ['no_show', { unused: 1, blank: 800 }, false],
  ])('have a use by a blank in a column of %s with %j on each day: %p', (role, uses, isKnown) => {
    const dated = ['2026-03-02', '2026-03-03'].map((date) => ({ day: date, ...noUses, ...uses }))
    const unmarkedUse = role === 'no_show' ? 1 : 0
    expect(meaningOfUses({ [role]: 'Column' }, dated)).toMatchObject({ unmarkedUse, coversBlanks: isKnown })
  })

  it.each([
    // Check-in begins on the third day; the file was exported on the fifth.
    ['checked_in', 'between the first and last day of marks', [0, 0, 20, 25, 9, 0, 0], '2', '3'],
    ['checked_in', 'in spite of one stray mark on another day', [1, 0, 20, 25, 9, 0, 1], '2', '3'],
    ['checked_in', 'on days of which two have marks', [20, 0, 0, 0, 0, 0, 20], '0', '6'],
    ['checked_in', 'to the last day with marks before bookings ahead', [20, 25, 22, 0, 0], '0', '2'],
    ['checked_in', 'to the day before, which is the last of the file', [20, 25, 20, 12], '0', '2'],
    ['checked_in', 'before many ahead with one stray mark', [20, 25, 20, ...Array(90).fill(0), 1], '0', '2'],
    ['checked_in', 'on no day without marks', [0, 0, 0], '', ''],
    ['no_show', 'to the last day where it may be by chance that no more are missed', [1, 0, 2, 0, 0], '0', '4'],
    ['no_show', 'to the last day with marks where many are ahead', [9, 9, 9, 0, 0, 0], '0', '2'],
    ['no_show', 'from the first day with marks where many were before', [0, 0, 0, 9, 9, 9], '3', '5'],
    ['no_show', 'of few bookings of which none was missed', [0, 0, 0], '0', '2'],
    ['no_show', 'of many bookings of which none was missed', Array(20).fill(0), '', ''],
  ])('have a use by a no in a column of %s %s', (role, _, marks, first, last) => {
    const dated = marks.map((own, at) => {
      const [used, unused] = role === 'no_show' ? [40 - own, own] : [own, 40 - own]
      return { day: `${at}`, used, unused, blank: 0 }
    })
    expect(meaningOfUses({ [role]: 'Column' }, dated)).toMatchObject({ first, last })
  })

  it.each([
    ['checked_in', [2, 4]],
    // A third is missed, so that none may be by chance of few.
    ['no_show', [5]],
  ])('have no use by a no or a blank in a column of %s in rooms without marks', (role, expected) => {
    const rooms = [
      { valueId: 1, used: 30, unused: 10, blank: 0 },
      { valueId: 2, used: 0, unused: 40, blank: 0 },
      { valueId: 3, used: 0, unused: 2, blank: 0 },
      { valueId: 4, used: 1, unused: 3, blank: 40 },
      { valueId: 5, used: 40, unused: 0, blank: 0 },
      { valueId: 6, used: 2, unused: 0, blank: 0 },
    ]
    const meaning = meaningOfUses({ [role]: 'Column' }, [])
    expect(findUnmarkedSpaces(meaning, rooms)).toEqual(expected)
  })

  it('are of the room that is seen when its name has unseen characters', () => {
    expect(readAll('bookings', { ...cells, space: '\u200bSit\u00adzung\u00a0 1\u200e' })).toMatchObject([
      { space: 'Sitzung 1' },
    ])
  })

  it('are one fact for each local day that they cover', () => {
    const long = { ...cells, start: '2026-03-05T14:00', end: '2026-03-07T10:00', attendees: 3 }
    expect(readAll('bookings', long)).toMatchObject([
      { day, numbers: [840, 1_440, 3, -1, 0] },
      { day: day + 1, numbers: [0, 1_440, 3, -1, 0] },
      { day: day + 2, numbers: [0, 600, 3, -1, 0] },
    ])
    // In Tokyo, 14:00 in UTC is 23:00.
    const abroad = { ...long, space: 'Tokyo', start: '2026-03-05T14:00Z', end: '2026-03-05T16:30Z' }
    expect(readAll('bookings', abroad)).toMatchObject([
      { day, numbers: [1_380, 1_440, 3, -1, 0], isInstant: true },
      { day: day + 1, numbers: [0, 90, 3, -1, 0] },
    ])
    expect(readAll('bookings', { ...cells, end: '2026-04-05T09:00' })).toHaveLength(32)
  })

  it('may end at midnight, and at their start', () => {
    expect(read('bookings', { ...cells, end: '2026-03-06T00:00' })).toMatchObject({
      day,
      numbers: [540, 1_440, -1, -1, 0],
    })
    expect(read('bookings', { ...cells, end: cells.start })).toMatchObject({ numbers: [540, 540, -1, -1, 0] })
  })

  it.each([
    [{ end: '2026-03-05T08:59' }, 'end_before_start', '2026-03-05T08:59'],
    [{ end: '2026-04-05T09:01' }, 'booking_too_long', '2026-04-05T09:01'],
    [{ end: null }, 'end_missing', null],
    [{ start: '9' }, 'start_unreadable', '9'],
    [{ attendees: 1.5 }, 'attendees_unreadable', '1.5'],
    [{ checked_in: '?' }, 'checked_in_unreadable', '?'],
    [{ cancelled: '?' }, 'cancelled_unreadable', '?'],
  ])('with %p are not used: %s', (change, reason, example) => {
    expect(read('bookings', { ...cells, ...change })).toEqual({ reason, example })
  })
})

describe('rows of counts', () => {
  const cells = { space: 'Cam', time: '2026-03-05T09:00' }

  it('have a level, or entrances and exits', () => {
    expect(read('counts', { ...cells, value: '12' })).toMatchObject({ numbers: [540, 12, -1, -1] })
    expect(read('counts', { ...cells, in: 3, out: '' })).toMatchObject({ numbers: [540, -1, 3, -1] })
    expect(read('counts', { ...cells, value: 0 })).toMatchObject({ numbers: [540, 0, -1, -1] })
  })

  it.each([
    [{ value: -1 }, 'value_unreadable', '-1'],
    [{ value: 1.5 }, 'value_unreadable', '1.5'],
    [{ value: 65_535 }, 'value_unreadable', '65535'],
    [{ value: '' }, 'value_missing', null],
    [{}, 'value_missing', null],
  ])('with %p are not used: %s', (change, reason, example) => {
    expect(read('counts', { ...cells, ...change })).toEqual({ reason, example })
  })
})

describe('rows of people', () => {
  const cells = { person: 'P1', team: 'A' }

  it('belong to no day and may be open at either end', () => {
    expect(read('people', cells)).toEqual({ ...names, ...cells, day: 0, numbers: [-1, -1], isInstant: false })
    expect(read('people', { ...cells, from: '2026-03-05', until: '2026-03-05' })).toMatchObject({ numbers: [day, day] })
  })

  it.each([
    ['Active', undefined],
    ['', undefined],
    [false, 'not_active'],
    ['Ausgeschieden', 'not_active'],
    ['?', 'active_unreadable'],
  ])('in the state %p are not used: %p', (active, reason) => {
    const found = read('people', { person: 'P1', team: 'Sales', active })
    expect(found && 'reason' in found ? found.reason : undefined).toBe(reason)
  })

  it('are not used when they end before they begin, or without a team', () => {
    expect(read('people', { ...cells, from: '2026-03-05', until: '2026-03-04' })).toEqual({
      reason: 'until_before_from',
      example: '2026-03-04',
    })
    expect(read('people', { person: 'P1' })).toEqual({ reason: 'team_missing', example: null })
    expect(read('people', { ...cells, until: '2026' })).toEqual({ reason: 'until_unreadable', example: '2026' })
  })
})

describe('rows with the day in a column of its own', () => {
  const date = '2026-03-05'

  it.each<[CountedKind, Cells, object]>([
    ['badge_events', { person: 'P1', space: 'Door', date, time: '08:30' }, { day, numbers: [30_600, 0] }],
    ['badge_events', { person: 'P1', space: 'Door', date, time: '7h00' }, { day, numbers: [25_200, 0] }],
    ['badge_events', { person: 'P1', space: 'Door', date, time: '14:00 Uhr' }, { day, numbers: [50_400, 0] }],
    ['counts', { space: 'Door', date, time: 8, value: 5 }, { day, numbers: [480, 5, -1, -1] }],
    ['counts', { space: 'Door', date, time: '24:00', value: 5 }, { day: day + 1, numbers: [0, 5, -1, -1] }],
    ['bookings', { space: 'R', date, start: '09:00', end: '10:30' }, { day, numbers: [540, 630, -1, -1, 0] }],
    ['bookings', { space: 'R', date, start: '23:00', duration: 60 }, { day, numbers: [1380, 1440, -1, -1, 0] }],
  ])('of %s are joined: %j', (kind, cells, fact) => {
    expect(read(kind, cells)).toMatchObject(fact)
  })

  it('of bookings end on the next day when the end is before the start', () => {
    expect(readAll('bookings', { space: 'R', date, start: '22:00', end: '06:00' })).toMatchObject([
      { day, numbers: [1320, 1440, -1, -1, 0] },
      { day: day + 1, numbers: [0, 360, -1, -1, 0] },
    ])
  })

  it.each([
    [{ date, start: '00:00', end: '00:00' }, [0, 1440]],
    [{ date, start: '09:00', end: '09:00' }, [540, 540]],
    [{ start: `${date}T20:00`, end: '21:30' }, [1200, 1290]],
    [{ start: `${date}T20:00`, end: '24:00' }, [1200, 1440]],
    [{ start: `${date}T20:00`, end: '00:30' }, [1200, 1440]],
  ])('of bookings of %j are whole days from midnight to midnight, and beside a start with its day', (cells, hours) => {
    const [first] = [readAll('bookings', { space: 'R', ...cells })].flat()
    expect(first).toMatchObject({ day, numbers: [...hours, -1, -1, 0] })
  })

  it.each([
    ['09:30-10:15', 570, 615],
    ['9:30 to 10:15 Uhr', 570, 615],
    ['9:30 AM – 1:15 PM', 570, 795],
    ['9 AM - 10', 540, 600],
    ['9 AM - 17', 540, 1020],
    ['22:00-06:00', 1320, 1440],
    ['12:00-06:00', 720, 1440],
  ])('of bookings have their start and end in one column: %s', (range, from, to) => {
    const facts = createRowReader('bookings', () => zones.utc, { start: 'Time', end: 'Time', date: 'Date' })
    expect(facts({ space: 'R', date, start: range, end: range })).toMatchObject([
      { day, numbers: [from, to, -1, -1, 0] },
      ...(to === 1440 ? [{ day: day + 1, numbers: [0, 360, -1, -1, 0] }] : []),
    ])
  })

  it('are read from the parts of a day that spreadsheets keep', () => {
    const cells = { space: 'R', date, start: 0.6042, end: 0.645833 }
    expect(readAll('bookings', cells)).toMatchObject([{ numbers: [870, 930, -1, -1, 0] }])
    expect(readAll('bookings', { ...cells, end: 1 })).toMatchObject([{ numbers: [870, 1440, -1, -1, 0] }])
    expect(readAll('bookings', { ...cells, start: 0, end: 1 })).toMatchObject({ reason: 'end_unreadable' })
  })

  it.each(['9 AM - 5', '9-5 PM', '9-5', '11 AM - 1', '10 PM - 6', '9:00-9:00'])(
    'of bookings are refused when a range has two ends: %s',
    (range) => {
      const facts = createRowReader('bookings', () => zones.utc, { start: 'Time', end: 'Time', date: 'Date' })
      expect(facts({ space: 'R', date, start: range, end: range })).toMatchObject({ example: range })
    },
  )

  it('of bookings end on the day that they name', () => {
    const cells = { space: 'R', date, start: '09:00', end: '10:00', end_date: '2026-03-07' }
    expect(readAll('bookings', cells)).toHaveLength(3)
    expect(readAll('bookings', { ...cells, end_date: '2026-03-04' })).toMatchObject({ reason: 'end_before_start' })
  })

  it.each<[CountedKind, Cells, string]>([
    ['badge_events', { person: 'P1', space: 'Door', date: '', time: '08:30' }, 'date_missing'],
    ['badge_events', { person: 'P1', space: 'Door', date, time: 'early' }, 'time_unreadable'],
    ['bookings', { space: 'R', date, start: '09:00', end: '25:00' }, 'end_unreadable'],
  ])('of %s are not used when %j: %s', (kind, cells, reason) => {
    expect(read(kind, cells)).toMatchObject({ reason })
  })
})

describe('a duration in place of an end', () => {
  const cells = { space: 'R', start: '2026-03-05T09:00' }

  it.each<[unknown, string, number | string]>([
    [90, 'Minutes', 90],
    [1.5, 'Duration (h)', 90],
    ['1:30', 'Duration', 90],
    ['01:30:00', 'Duration', 90],
    ['90 min', 'Duration', 90],
    ['1,5 h', 'Dauer', 90],
    ['1h 30', 'Durée', 90],
    ['PT1H30M', 'Duration', 90],
    ['P0DT1H30M', 'Duration', 90],
    ['90', 'Duration', 90],
    ['1,5', 'Duration (h)', 90],
    [90.5, 'Duration (min)', 90],
    [0.0625, 'Duration', 'duration_unreadable'],
    ['1 hr 30 min', 'Duration', 90],
    ['1 Std. 30 Min.', 'Dauer', 90],
    [5400, 'Duration (s)', 90],
    ['', 'Duration', 'duration_missing'],
    ['long', 'Duration', 'duration_unreadable'],
    [-5, 'Duration', 'duration_unreadable'],
  ])('of %j in the column %s is %p', (duration, column, expected) => {
    const facts = createRowReader('bookings', () => zones.utc, { duration: column })({ ...cells, duration })
    if (typeof expected === 'string') expect(facts).toMatchObject({ reason: expected })
    else expect(facts).toMatchObject([{ numbers: [540, 540 + expected, -1, -1, 0] }])
  })
})

describe('days of attendance with a status', () => {
  it.each([
    ['Office', undefined],
    ['vor Ort', undefined],
    ['x', undefined],
    ['Home Office', 'worked_at_home'],
    ['Urlaub', 'absent'],
    ['', 'status_missing'],
    ['Moon', 'status_unknown'],
  ])('of %j are not used: %p', (status, reason) => {
    const fact = read('attendance_days', { person: 'P1', space: 'HQ', date: '2026-03-05', status })
    expect(fact !== undefined && 'reason' in fact ? fact.reason : undefined).toBe(reason)
  })

  it('at home are not used for that, though they have no space', () => {
    const cells = { person: 'P1', space: null, date: '2026-03-05', status: 'Télétravail' }
    expect(read('attendance_days', cells)).toMatchObject({ reason: 'worked_at_home' })
  })
})
