import { describe, expect, it } from '@jest/globals'
import {
  createZoneOffset,
  readActive,
  readCancelled,
  readCheckIn,
  readCount,
  readDirection,
  readMoment,
  readName,
  readPerson,
} from '../../src/datasets/read-cells.ts'
import { dateOf } from '../../src/workplace/local-days.ts'

const berlin = createZoneOffset('Europe/Berlin')

/** Returns the local day and time of a cell. */
function local(cell: unknown, zone = berlin): string | undefined {
  const moment = readMoment(cell, zone)
  if (moment === undefined) return undefined
  const { day, minute } = moment
  return `${dateOf(day)} ${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
}

describe('readMoment', () => {
  it.each([
    ['2026-03-05', '2026-03-05 00:00'],
    ['2026-03-05T08:59:59.999', '2026-03-05 08:59'],
    [' 2026-03-05 08:30 ', '2026-03-05 08:30'],
    // Local times are as they are, also those that a clock did not show.
    ['2026-03-29T02:30:00', '2026-03-29 02:30'],
    ['2026-03-05T24:00', '2026-03-06 00:00'],
  ])('takes %s as a local time', (cell, expected) => {
    expect(local(cell)).toBe(expected)
    expect(readMoment(cell, berlin)?.isInstant).toBe(false)
  })

  it.each([
    // Clocks went forward at 01:00Z on 29 March, from 02:00 to 03:00.
    ['2026-03-29T00:59:00Z', '2026-03-29 01:59'],
    ['2026-03-29T01:00:00Z', '2026-03-29 03:00'],
    [Date.UTC(2026, 2, 29, 1) / 1000, '2026-03-29 03:00'],
    [Date.UTC(2026, 2, 29, 1), '2026-03-29 03:00'],
    ['2026-03-28T22:59:59Z', '2026-03-28 23:59'],
    ['2026-03-28T23:00:00Z', '2026-03-29 00:00'],
    ['2026-03-29T22:00:00Z', '2026-03-30 00:00'],
    // They went back at 01:00Z on 25 October, from 03:00 to 02:00.
    ['2026-10-25T00:59:00Z', '2026-10-25 02:59'],
    ['2026-10-25T01:00:00Z', '2026-10-25 02:00'],
    ['2026-10-24T22:00:00Z', '2026-10-25 00:00'],
    ['2026-10-25T22:59:00Z', '2026-10-25 23:59'],
    ['2026-10-25T23:00:00Z', '2026-10-26 00:00'],
    ['2026-06-30T23:30:00-05:30', '2026-07-01 07:00'],
    ['2026-01-01T00:15:00+14:00', '2025-12-31 11:15'],
  ])('takes %s to the local time of Berlin', (cell, expected) => {
    expect(local(cell)).toBe(expected)
    expect(readMoment(cell, berlin)?.isInstant).toBe(true)
  })

  it('knows zones with offsets of quarters, and those west of Greenwich', () => {
    expect(local('2026-01-01T12:00:00Z', createZoneOffset('Asia/Kathmandu'))).toBe('2026-01-01 17:45')
    expect(local('2026-01-01T02:00:00Z', createZoneOffset('America/St_Johns'))).toBe('2025-12-31 22:30')
    expect(local('2026-01-01T02:00:00Z', createZoneOffset('UTC'))).toBe('2026-01-01 02:00')
  })

  it('asks for the offset again within one hour', () => {
    const zone = createZoneOffset('Europe/Berlin')
    const before = Date.parse('2026-03-29T00:59:59Z')
    expect([zone(before), zone(before + 1_000), zone(before)]).toEqual([3_600_000, 7_200_000, 3_600_000])
  })

  it('refuses years far away, by the local day', () => {
    expect([local('1999-12-31T23:30:00Z'), local('1999-12-31T22:30:00Z')]).toEqual(['2000-01-01 00:30', undefined])
    expect([local('2049-12-31'), local('2050-01-01'), local('0026-03-05')]).toEqual([
      '2049-12-31 00:00',
      undefined,
      undefined,
    ])
  })

  it.each([['2026-02-30'], ['5.3.2026'], ['08:30'], [''], [46_086], [null], [undefined]])('refuses %p', (cell) => {
    expect(readMoment(cell, berlin)).toBeUndefined()
  })
})

describe('readDirection', () => {
  it.each([
    ...['In', ' ENTRY ', 'Zutritt', 'Eintritt', 'kommen', 'entrée'].map((word) => [word, 1]),
    ...['out', 'Exit', 'Austritt', 'Gehen', 'sortie'].map((word) => [word, 2]),
    ...['Door 2 IN', 'Access Granted - Entry', 'B1 Kommen', 'Entrada', 'Wejście', 'K'].map((word) => [word, 1]),
    ...['Exit granted', 'Granted (Out)', 'Salida', 'Uscita', 'Wyjście', 'Uitgang', 'G'].map((word) => [word, 2]),
    ...[null, undefined, '', 'Access granted'].map((cell) => [cell, 0]),
    ...[
      'No entry',
      'Entry denied',
      'Out of order',
      'Access denied',
      'Zutritt verweigert',
      'denied',
      'refusé',
      '?',
      0,
    ].map((word) => [word, undefined]),
  ])('reads %p as %p', (cell, expected) => {
    expect(readDirection(cell)).toBe(expected)
  })
})

describe('readCount', () => {
  it.each<[unknown, unknown]>([
    [0, 0],
    ['12', 12],
    [12, 12],
    [1_000_000, 1_000_000],
    ...[null, undefined, ''].map((cell): [unknown, unknown] => [cell, 'empty']),
    ...[-1, '-1', 1.5, '1.5', 1_000_001, Number.NaN, 'many', ' ', true, []].map((cell): [unknown, unknown] => [
      cell,
      'unreadable',
    ]),
  ])('reads %p as %p', (cell, expected) => {
    expect(readCount(cell)).toBe(expected)
  })
})

describe('readName', () => {
  it('takes numbers as their digits, and composed letters as one', () => {
    expect([readName(42), readName(' 0042 '), readName('Mu\u0308nchen'), readName(' '), readName(null)]).toEqual([
      '42',
      '0042',
      'München',
      undefined,
      undefined,
    ])
  })
})

describe('readPerson', () => {
  it.each([
    ['Zoe.Adler@Example.com ', 'zoe.adler@example.com'],
    ['A17', 'A17'],
    ['Ann@desk', 'Ann@desk'],
    [17, '17'],
    ['00417.0', '417'],
    ['417.0', '417'],
    ['-0.0', '0'],
  ])('reads mail addresses and numbers as a pseudonym does: %j', (cell, person) => {
    expect(readPerson(cell)).toBe(person)
  })
})

it.each([
  ['', true],
  [true, true],
  ['false', false],
  ['active', true],
  ['terminated', false],
  // Active and terminated, of which neither may be told by the other's absence.
  ['A', undefined],
  ['T', undefined],
  ['t', undefined],
])('reads the state of a person %p as %p', (cell, isActive) => {
  expect(readActive(cell)).toBe(isActive)
})

describe('flags of bookings', () => {
  it.each([
    ['yes', true, true],
    ['Nein', false, false],
    [true, true, true],
    [0, false, false],
    ['', false, false],
    [null, false, false],
    ['2026-03-05T09:02:00', true, true],
    // States, of which one column may be mapped to both.
    ['Attended', true, false],
    ['Checked in', true, false],
    ['checked-in', true, false],
    ['no-show', false, false],
    ['No show', false, false],
    ['confirmed', false, false],
    ['Cancelled', false, true],
    ['storniert', false, true],
    ['maybe', undefined, undefined],
    ['09:02', undefined, undefined],
    ['t', true, true],
    ['f', false, false],
    ['T', undefined, undefined],
  ])('read %p as used: %p, cancelled: %p', (cell, isUsed, isCancelled) => {
    expect(readCheckIn(cell)).toBe(isUsed)
    expect(readCancelled(cell)).toBe(isCancelled)
  })
})
