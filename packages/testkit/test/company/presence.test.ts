import { describe, expect, it } from '@jest/globals'
import { addStay, createStays, exitSwiped, lost } from '../../src/company/days/stays.ts'
import { epochDayOf } from '../../src/company/model/calendar.ts'
import type { Organization, Site, Space } from '../../src/company/model/company.ts'
import { createPresenceCounter } from '../../src/company/truth/presence.ts'
import { createSpaceDayReader } from '../../src/company/truth/space-series.ts'

const nothing = { capacity: 0, areaM2: 0, annualRent: 0, annualServices: 0, avoidablePercent: 0 }
const space = (id: string, kind: Space['kind'], parent: number): Space => ({ ...nothing, id, name: id, kind, parent })
const site: Site = {
  country: 'DE',
  subdivision: 'BE',
  timezone: 'Europe/Berlin',
  currency: 'EUR',
  opens: 480,
  closes: 1080,
  schoolHolidays: ['07-24', '09-06'],
}
const noPlaces = { home: 2, near: [], fixed: [], excluded: [], rate: 0, weekdays: [] }
const team = (id: string, parent: number) => ({ ...noPlaces, id, name: id, unit: id, parent })

// Open from 08:00 to 18:00. Friday 2025-01-03 and Saturday 2025-01-04. People 0 and 1 are in team 1, person 2 in
// team 2; both are below team 0.
const company: Organization = {
  firstDay: epochDayOf('2025-01-03'),
  days: 2,
  people: 3,
  spaces: [
    { ...space('S', 'site', -1), site },
    space('B', 'building', 0),
    space('F1', 'floor', 1),
    space('F2', 'floor', 1),
  ],
  teams: [team('D', -1), team('T1', 0), team('T2', 0)],
  memberships: [],
}
const teamsOfPeople = Int32Array.of(1, 1, 2)
const [site0, building, floor1, floor2] = [0, 1, 2, 3] as const
const at = (hour: number, minute: number, second = 0) => (hour * 60 + minute) * 60 + second

type Stay = readonly [person: number, space: number, from: number, to: number, flags: number]
const staysOf = (list: readonly Stay[]) => {
  const stays = createStays(1)
  for (const [person, own, from, to, flags] of list)
    addStay(stays, person, { space: own, reader: 0 }, [from, to], flags)
  return stays
}

const friday: readonly Stay[] = [
  // Floor 1 from 08:30 to 12:00, floor 2 from 12:00 to 12:30, floor 1 again from 12:31 to 17:00.
  [0, floor1, at(8, 30, 59), at(12, 0, 10), exitSwiped],
  [0, floor2, at(12, 0, 40), at(12, 30, 5), exitSwiped],
  [0, floor1, at(12, 31), at(17, 0), exitSwiped],
  // Floor 1 from 07:50; forgets the exit, so until 18:00, although he left at 09:15.
  [1, floor1, at(7, 50), at(9, 15), 0],
  // Floor 2 from 09:00; forgets the exit, so until her next entry, on floor 1 at 09:20; leaves at 09:40.
  [2, floor2, at(9, 0), at(9, 10), 0],
  [2, floor1, at(9, 20), at(9, 40), exitSwiped],
]

const readDay = (day: number, list: readonly Stay[], recordedOnly = false) => {
  const presence = createPresenceCounter(company)(day, staysOf(list), teamsOfPeople, recordedOnly)
  const read = createSpaceDayReader(company)
  return { teams: [...presence.teamAttendance], of: (index: number) => read(presence, index, day) }
}

describe('presence', () => {
  it('counts people and minutes of three people on two floors', () => {
    const { of, teams } = readDay(0, friday)
    expect(of(floor1)).toEqual({
      attendance: 3,
      // 09:20 to 09:40: all three.
      peak: 3,
      // Person 0: 210 (08:30 to 12:00) + 269 (12:31 to 17:00). Person 1: 600 (08:00 to 18:00, the minutes before the
      // opening do not count). Person 2: 20. Together 1,099.
      personMinutes: 1_099,
      // 08: 30 + 60; 09: 60 + 60 + 20; 10 and 11: 120; 12: 29 + 60; 13 to 16: 120; 17: 60.
      hourlyPersonMinutes: [90, 140, 120, 120, 89, 120, 120, 120, 120, 60],
      hourlyPeaks: [2, 3, 2, 2, 2, 2, 2, 2, 2, 1],
    })
    expect(of(floor2)).toEqual({
      attendance: 2,
      peak: 1,
      // Person 0: 30. Person 2: 20 (09:00 to 09:20).
      personMinutes: 50,
      hourlyPersonMinutes: [0, 20, 0, 0, 30, 0, 0, 0, 0, 0],
      hourlyPeaks: [0, 1, 0, 0, 1, 0, 0, 0, 0, 0],
    })
    const whole = {
      attendance: 3,
      // From 09:00 to 09:40 on both floors together: the peak of the sum, not 3 + 1.
      peak: 3,
      personMinutes: 1_149,
      hourlyPersonMinutes: [90, 160, 120, 120, 119, 120, 120, 120, 120, 60],
      hourlyPeaks: [2, 3, 2, 2, 2, 2, 2, 2, 2, 1],
    }
    expect(of(building)).toEqual(whole)
    expect(of(site0)).toEqual(whole)
    expect(teams).toEqual([3, 2, 1])
  })

  it('counts attendance but no occupancy on a day on which the site is closed', () => {
    const { of, teams } = readDay(1, [[2, floor2, at(10, 0), at(11, 0), exitSwiped]])
    const closed = { peak: null, personMinutes: null, hourlyPersonMinutes: null, hourlyPeaks: null }
    expect(of(floor2)).toEqual({ attendance: 1, ...closed })
    expect(of(floor1)).toEqual({ attendance: 0, ...closed })
    expect(of(site0)).toEqual({ attendance: 1, ...closed })
    expect(teams).toEqual([1, 0, 1])
  })

  it('ignores stays at a broken reader when only what was recorded counts', () => {
    // The reader of floor 1 is broken: what is left is the first stay of person 2, now until 18:00, and that of
    // person 0 at noon.
    const broken = friday.map(([person, own, from, to, flags]): Stay => {
      return [person, own, from, to, own === floor1 ? flags | lost : flags]
    })
    const { of, teams } = readDay(0, broken, true)
    expect(of(floor1)).toMatchObject({ attendance: 0, peak: 0, personMinutes: 0 })
    expect(of(floor2)).toMatchObject({ attendance: 2, peak: 2, personMinutes: 30 + 540 })
    expect(teams).toEqual([2, 1, 1])
    expect(readDay(0, broken).of(floor1)).toMatchObject({ attendance: 3, personMinutes: 1_099 })
  })

  it('ends a stay that begins after the opening hours and has no exit when it begins', () => {
    const { of } = readDay(0, [[0, floor1, at(18, 30), at(19, 0), 0]])
    expect(of(floor1)).toMatchObject({ attendance: 1, peak: 0, personMinutes: 0 })
  })
})
