import { describe, expect, it } from '@jest/globals'
import { readOpeningHours } from '../../src/datasets/read-opening-hours.ts'

const all = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const open = (days: string[], from: string, to: string) => Object.fromEntries(days.map((day) => [day, { from, to }]))
const workdays = all.slice(0, 5)

describe('readOpeningHours', () => {
  it.each([
    ['Mo-Fr 08:00-18:00', open(workdays, '08:00', '18:00')],
    ['Mon–Fri 8–18', open(workdays, '08:00', '18:00')],
    ['Montag bis Freitag: 8 bis 18 Uhr', open(workdays, '08:00', '18:00')],
    ['Mo. - Fr. 7.30 - 16.00 Uhr', open(workdays, '07:30', '16:00')],
    ['Monday to Friday 8am-6pm', open(workdays, '08:00', '18:00')],
    ['Mo-Do 8-17 Uhr', open(all.slice(0, 4), '08:00', '17:00')],
    ['Mo,Mi 9-12', open(['mon', 'wed'], '09:00', '12:00')],
    ['Mo und Do 9-12', open(['mon', 'thu'], '09:00', '12:00')],
    ['Mo-Do 8-18, Fr 8-16', { ...open(all.slice(0, 4), '08:00', '18:00'), ...open(['fri'], '08:00', '16:00') }],
    ['Mo-Do 8-18 Fr 8-16', { ...open(all.slice(0, 4), '08:00', '18:00'), ...open(['fri'], '08:00', '16:00') }],
    ['Mo-Su 08:00-18:00; We off', open(['mon', 'tue', 'thu', 'fri', 'sat', 'sun'], '08:00', '18:00')],
    ['Mo-Fr 8-18; Sa, So geschlossen', open(workdays, '08:00', '18:00')],
    ['Sa-Mo 10:00-24:00', open(['sat', 'sun', 'mon'], '10:00', '24:00')],
    ['08:00-18:00', open(all, '08:00', '18:00')],
    ['täglich 6-22', open(all, '06:00', '22:00')],
    ['24/7', open(all, '00:00', '24:00')],
    ['12am-12pm', open(all, '00:00', '12:00')],
    ['closed', {}],
    ['', null],
    ['Mo-So 18:00-0:00', open(all, '18:00', '24:00')],
    [' ', null],
    [null, null],
  ])('reads %p', (text, expected) => {
    expect(readOpeningHours(text)).toEqual(expected)
  })

  it.each(['Mo-Fr 18-8', 'Mo-Fr 22:00-06:00'])('says of %p that it ends after midnight', (text) => {
    expect(readOpeningHours(text)).toBe('past_midnight')
  })

  it.each([
    'Mo-Fr',
    '8',
    'Mo-Fr 8-12, 13-18',
    'Mo-Fr 8-12 13-18',
    '8-12, Mo 9-13',
    'Mo 8-12; Mo 13-18',
    'Mo-Fr 8-18; Fr 8-16',
    'Mo-Fr 8-25',
    'Mo-Fr 8:75-18',
    'Mo-Fr 8-18; Sa 00:00-00:00',
    'Mo-Fr 13pm-18',
    'Lu-Ve 8-18',
    'Mo-Fr 8-18; PH off',
    'monday-friday, 08:00-18:00',
    'Mo-Fr 8-18 by appointment',
    'werktags 8-18',
    'Mo-Do 8-17 Uhr, Fr bis 13 Uhr',
    'Mo--Fr 8-18',
    'x'.repeat(201),
    8,
  ])('refuses %p', (text) => {
    expect(readOpeningHours(text)).toBe('unreadable')
  })
})
