import { expect, it } from '@jest/globals'
import { readTimeOfDay } from '../../../src/runs/series/time-of-day.ts'

const clock = (ms: number | undefined): string | undefined =>
  ms === undefined ? undefined : `${Math.floor(ms / 3_600_000)}:${String((ms / 60_000) % 60).padStart(2, '0')}`

it.each([
  [8, '8:00'],
  [0, '0:00'],
  [24, '24:00'],
  ['08', '8:00'],
  [' 7 ', '7:00'],
  ['08:30', '8:30'],
  ['8:30 AM', '8:30'],
  ['12:00 AM', '0:00'],
  ['12:15\u202fPM', '12:15'],
  ['8\u00a0pm', '20:00'],
  ['3 p.m.', '15:00'],
  ['8h30', '8:30'],
  ['8 Uhr', '8:00'],
  ['0830', '8:30'],
  ['2400', '24:00'],
  ['24:00', '24:00'],
  ['23:59:00.000', '23:59'],
  ['0:00-0:59', '0:00'],
  ['10:00 – 10:59', '10:00'],
  ['9 to 10', '9:00'],
  ['23:00-24:00', '23:00'],
  ['8:00 AM-8:59 AM', '8:00'],
  ['1899-12-30T08:30:00', '8:30'],
])('a time of day is read when it is written as %p', (cell, expected) => {
  expect(clock(readTimeOfDay(cell))).toBe(expected)
})

it.each([
  25,
  -1,
  8.5,
  1400,
  '24:30',
  '8:60',
  '13 PM',
  '0 AM',
  '8-9 AM',
  '8:30-25:00',
  '8.50',
  '830',
  '2024-01-31T08:00:00',
  'morning',
  '',
  null,
  true,
])('a cell is no time of day when it is %p', (cell) => {
  expect(readTimeOfDay(cell)).toBeUndefined()
})
