import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import {
  type CompanyDay,
  companyFiles,
  createCompany,
  createSwipeReader,
  generateDays,
  writeCompany,
} from '../../src/company/index.ts'
import { readExpected, readRows } from './read-company.ts'

const root = await mkdtemp(join(tmpdir(), 'company-'))
const folder = join(root, 'year')
const rows = await writeCompany(folder)
const expected = await readExpected(folder)
afterAll(() => rm(root, { recursive: true, force: true }))

const hashOf = async (own: string): Promise<string[]> =>
  await Promise.all(
    Object.values(companyFiles).map(async (name) =>
      createHash('sha256')
        .update(await readFile(join(own, name)))
        .digest('hex'),
    ),
  )

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

describe('a made company', () => {
  it('has the same bytes with the same seed, and others with another', async () => {
    const options = { people: 200, floors: 6, days: 30, firstDay: '2025-04-28' }
    const [first, again, other] = ['first', 'again', 'other'].map((name) => join(root, name)) as [
      string,
      string,
      string,
    ]
    await writeCompany(first, { ...options, seed: 3 })
    await writeCompany(again, { ...options, seed: 3 })
    await writeCompany(other, { ...options, seed: 4 })
    expect(await hashOf(again)).toEqual(await hashOf(first))
    const [badges, otherBadges] = [await readRows(first, 'badgeEvents'), await readRows(other, 'badgeEvents')]
    expect(otherBadges.slice(0, 10)).not.toEqual(badges.slice(0, 10))
  })

  it('generates a day by itself as in the order of days', () => {
    const company = createCompany({ people: 100, days: 20 })
    const read = createSwipeReader()
    const listDays = (days: Iterable<CompanyDay>) =>
      Array.from(days, ({ day, stays }) => {
        const { length, person, second } = read(stays)
        return { day, person: [...person.subarray(0, length)], second: [...second.subarray(0, length)] }
      })
    expect(listDays(generateDays(company, 14, 16))).toEqual(listDays(generateDays(company)).slice(14, 16))
  })

  it('refuses options out of bounds, and names them', () => {
    expect(() => createCompany({ people: 39 })).toThrow('people must be a whole number from 40 to 10000000, not 39')
    expect(() => createCompany({ floors: 2.5 })).toThrow('floors must be a whole number from 3 to 10000, not 2.5')
    expect(() => createCompany({ firstDay: '2025-02-30' })).toThrow('firstDay must be a date such as 2025-01-01')
  })

  it('has 60 spaces, 40 teams and 1,800 people', async () => {
    expect(rows).toMatchObject({ spaces: 60, teams: 40, door: 365 * 69, camera: 365 * 69 })
    expect(new Set((await readRows(folder, 'people')).map(([employee]) => employee)).size).toBe(1_800)
    expect(rows.badgeEvents).toBeGreaterThan(500_000)
    const kinds = Map.groupBy(expected.spaces, ({ kind }) => kind)
    expect(Object.fromEntries([...kinds].map(([kind, spaces]) => [kind, spaces.length]))).toEqual({
      site: 3,
      building: 4,
      floor: 12,
      zone: 12,
      room: 29,
    })
  })

  it('has no-shows of 29 % within 0.05 points, more of them on Fridays', async () => {
    const bookings = await readRows(folder, 'bookings')
    const held = bookings.filter(([, , , , , , , isCancelled]) => isCancelled === 'false')
    const missed = held.filter(([, , , , , , isCheckedIn]) => isCheckedIn === 'false')
    expect(expected.noShows).toMatchObject({ booked: held.length, noShows: missed.length })
    expect(Math.abs(missed.length / held.length - 0.29)).toBeLessThan(0.0005)
    const ofWeekday = (weekday: number) => {
      const totals = expected.noShows.spaces.map(({ weekdays }) => weekdays[weekday])
      return sum(totals.map((own) => own?.noShows ?? 0)) / sum(totals.map((own) => own?.booked ?? 0))
    }
    expect(ofWeekday(4)).toBeGreaterThan(ofWeekday(0) + 0.02)
  })

  it('has single bookings of people who are in where they were used, and who are not where they were missed', async () => {
    const swiped = new Set<string>()
    for (const [person, , , , at = ''] of await readRows(folder, 'badgeEvents', ';'))
      swiped.add(`${at.replace(/^(\d\d)\.(\d\d)\.(\d{4}) .*$/, '$3-$2-$1')} ${person}`)
    const broken = expected.brokenReader
    const wrong = (await readRows(folder, 'bookings')).filter(
      ([, , start = '', , employee, , isCheckedIn, isCancelled, series]) => {
        const date = start.slice(0, 10)
        const isBroken = broken !== undefined && date >= broken.from && date < broken.until
        if (isBroken || isCancelled === 'true' || series !== '') return false
        return swiped.has(`${date} ${employee}`) !== (isCheckedIn === 'true')
      },
    )
    expect(wrong).toEqual([])
  })

  it('adds up: minutes of floors to their building, teams to their division', () => {
    const below = Map.groupBy(expected.spaces, ({ parent_id }) => parent_id)
    const wrong: string[] = []
    for (const building of expected.spaces.filter(({ kind }) => kind === 'building'))
      for (const [day, date] of expected.days.entries()) {
        const floors = below.get(building.id) ?? []
        const minutes = building.personMinutes[day] ?? 0
        const people = floors.map(({ attendance }) => attendance?.[day] ?? 0)
        const [own, peak] = [building.attendance?.[day] ?? -1, building.peak[day] ?? 0]
        const isRight =
          sum(floors.map(({ personMinutes }) => personMinutes[day] ?? 0)) === minutes &&
          own <= sum(people) &&
          own >= Math.max(...people) &&
          peak <= sum(floors.map((floor) => floor.peak[day] ?? 0))
        if (!isRight) wrong.push(`${building.id} ${date}`)
      }
    const members = Map.groupBy(expected.teams, ({ parent_id }) => parent_id)
    for (const division of members.get(null) ?? [])
      for (const [day, date] of expected.days.entries()) {
        const teams = members.get(division.id) ?? []
        const isRight =
          sum(teams.map(({ attendance }) => attendance[day] ?? 0)) === division.attendance[day] &&
          sum(teams.map(({ headcount }) => headcount[day] ?? 0)) === division.headcount[day]
        if (!isRight) wrong.push(`${division.id} ${date}`)
      }
    expect(wrong).toEqual([])
  })

  it('has one floor that can close all week, and two that can close on Fridays', () => {
    expect(expected.closures).toMatchObject({ wholeWeek: ['MUC-A-04'], fridays: ['BER-B-01', 'BER-B-02'] })
    const berlin = expected.spaces.find(({ id }) => id === 'BER')
    const places = (ids: readonly string[]) =>
      sum(expected.spaces.flatMap(({ id, kind, capacity }) => (kind === 'floor' && ids.includes(id) ? [capacity] : [])))
    const [all, one, both] = [places(berlinFloors), places(['BER-B-01']), places(['BER-B-01', 'BER-B-02'])]
    const shareOver = (weekday: number, capacity: number) => {
      const people = (berlin?.attendance ?? []).filter((_, day) => {
        const date = expected.days[day] ?? ''
        return new Date(date).getUTCDay() === weekday && !expected.holidays.BER?.includes(date)
      })
      return people.filter((count) => count > capacity).length / people.length
    }
    for (const weekday of [1, 2, 3, 4]) expect(shareOver(weekday, all - one)).toBeGreaterThan(0.05)
    expect(shareOver(5, all - both)).toBe(0)
  })

  it('splits a team in May', () => {
    const { day = '', split, created } = expected.reorganization ?? {}
    expect(day).toBe('2025-05-05')
    const headcount = (id: string | undefined, date: string) =>
      expected.teams.find((team) => team.id === id)?.headcount[expected.days.indexOf(date)] ?? 0
    expect(headcount(created, '2025-05-04')).toBe(0)
    expect(headcount(created, day)).toBeGreaterThan(20)
    expect(headcount(split, day)).toBeLessThan(headcount(split, '2025-05-04') * 0.75)
  })

  it('has a camera that shows 0 for three days, and a door counter that drifts', async () => {
    const camera = Map.groupBy(await readRows(folder, 'camera'), ([, time = '']) => time.slice(0, 10))
    const highest = (date: string) => Math.max(...(camera.get(date) ?? []).map(([, , people]) => Number(people)))
    expect(expected.brokenCamera).toMatchObject({ from: '2025-09-09', until: '2025-09-12' })
    expect(
      ['2025-09-08', '2025-09-09', '2025-09-10', '2025-09-11', '2025-09-12'].map((date) => highest(date) > 0),
    ).toEqual([true, false, false, false, true])
    const door = Map.groupBy(await readRows(folder, 'door'), ([, time = '']) => time.slice(0, 10))
    for (const [day, date] of expected.days.entries()) {
      const own = door.get(date) ?? []
      const totals = {
        in: sum(own.map(([, , entries]) => Number(entries))),
        out: sum(own.map(([, , , exits]) => Number(exits))),
      }
      expect(totals).toEqual(expected.counts.door[day])
    }
    expect(sum(expected.counts.door.map((own) => own.in - own.out))).toBeGreaterThan(0)
  })
})

const berlinFloors = ['BER-A-01', 'BER-A-02', 'BER-A-03', 'BER-A-04', 'BER-B-01', 'BER-B-02']
