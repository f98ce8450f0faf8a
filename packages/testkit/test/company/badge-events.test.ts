import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { writeCompany } from '../../src/company/index.ts'
import { readExpected, readRows } from './read-company.ts'

const folder = await mkdtemp(join(tmpdir(), 'company-'))
// From 2025-07-31; the reader of a floor in Munich is broken from 2025-08-04 on.
await writeCompany(folder, { people: 150, floors: 6, days: 20, firstDay: '2025-07-31' })
const expected = await readExpected(folder)
const rows = await readRows(folder, 'badgeEvents', ';')
afterAll(() => rm(folder, { recursive: true, force: true }))

interface Swipe {
  time: string
  minute: number
  isEntry: boolean
  space: string
}

/** Returns the swipes of each person and day, in the order of time. */
function readSwipes(): Map<string, Swipe[]> {
  const byPersonDay = new Map<string, Swipe[]>()
  for (const [person = '', , reader = '', event, at = ''] of rows) {
    const [, day, month, year, time = ''] = /^(\d\d)\.(\d\d)\.(\d{4}) (.*)$/.exec(at) ?? []
    const [hour = 0, minute = 0] = time.split(':').map(Number)
    const space = expected.spaceMap.badges[reader] ?? ''
    const key = `${year}-${month}-${day} ${person}`
    const swipes = byPersonDay.get(key) ?? []
    byPersonDay.set(key, swipes)
    swipes.push({ time, minute: hour * 60 + minute, isEntry: event === 'Eintritt', space })
  }
  for (const swipes of byPersonDay.values()) swipes.sort((a, b) => (a.time < b.time ? -1 : 1))
  return byPersonDay
}

/** Returns the truth of a space on a day as the badge events show it. */
function measuredDay(id: string, day: number) {
  const shown = expected.measured.spaces.find((own) => own.space_id === id && own.day === day)
  if (shown !== undefined) return shown
  const own = expected.spaces.find((space) => space.id === id)
  return {
    attendance: own?.attendance?.[day],
    peak: own?.peak[day],
    personMinutes: own?.personMinutes[day],
    hourlyPersonMinutes: own?.hourlyPersonMinutes[day],
    hourlyPeaks: own?.hourlyPeaks[day],
  }
}

describe('the badge events of a company', () => {
  it('show the expected attendance and occupancy, counted minute by minute', () => {
    const byDay = Map.groupBy(readSwipes(), ([key]) => key.slice(0, 10))
    const spaces = new Map(expected.spaces.map((space) => [space.id, space]))
    for (const [day, date] of expected.days.entries()) {
      const isOpen = ![0, 6].includes(new Date(date).getUTCDay())
      const attendance = new Map<string, Set<string>>()
      const levels = new Map<string, number[]>()
      for (const [key, swipes] of byDay.get(date) ?? []) {
        const visited = new Set(swipes.flatMap(({ space }) => pathOf(spaces, space)))
        for (const id of visited) attendance.set(id, (attendance.get(id) ?? new Set()).add(key))
        for (let minute = 0; minute < 1_440; minute += 1) {
          const last = swipes.findLast((swipe) => swipe.minute <= minute)
          if (!last?.isEntry) continue
          const isLast = last === swipes.at(-1)
          if (isLast && minute >= (isOpen ? (spaces.get(last.space)?.closes ?? 0) : 1_200)) continue
          for (const id of pathOf(spaces, last.space)) {
            const own = levels.get(id) ?? Array.from({ length: 1_440 }, () => 0)
            levels.set(id, own)
            own[minute] = (own[minute] ?? 0) + 1
          }
        }
      }
      for (const { id, opens = 0, closes = 0 } of expected.spaces) {
        const hours = Array.from({ length: (closes - opens) / 60 }, (_, hour) => opens + hour * 60)
        const inHour = (start: number) =>
          Array.from({ length: 60 }, (_, minute) => levels.get(id)?.[start + minute] ?? 0)
        const hourlyPersonMinutes = hours.map((start) => inHour(start).reduce((sum, level) => sum + level, 0))
        const hourlyPeaks = hours.map((start) => Math.max(...inHour(start)))
        const counted = {
          attendance: attendance.get(id)?.size ?? 0,
          peak: isOpen ? Math.max(...hourlyPeaks) : null,
          personMinutes: isOpen ? hourlyPersonMinutes.reduce((sum, minutes) => sum + minutes, 0) : null,
          hourlyPersonMinutes: isOpen ? hourlyPersonMinutes : null,
          hourlyPeaks: isOpen ? hourlyPeaks : null,
        }
        expect({ id, date, ...measuredDay(id, day) }).toMatchObject({ id, date, ...counted })
      }
    }
  })

  it('have none of the broken reader while people come', () => {
    const broken = expected.brokenReader
    expect(broken).toEqual({ space_id: 'MUC-A-02', from: '2025-08-04', until: '2025-08-18' })
    const own = rows.filter(([, , reader = '']) => expected.spaceMap.badges[reader] === broken?.space_id)
    const dates = own.map(([, , , , at = '']) => at.replace(/^(\d\d)\.(\d\d)\.(\d{4}) .*$/, '$3-$2-$1'))
    expect(dates.some((date) => date < '2025-08-04')).toBe(true)
    expect(dates.some((date) => date >= '2025-08-18')).toBe(true)
    expect(dates.filter((date) => date >= '2025-08-04' && date < '2025-08-18')).toEqual([])
    const floor = expected.spaces.find(({ id }) => id === broken?.space_id)
    const during = expected.days.flatMap((date, day) =>
      date >= '2025-08-04' && date < '2025-08-18' ? [floor?.attendance?.[day] ?? 0] : [],
    )
    expect(during.filter((people) => people > 0).length).toBeGreaterThanOrEqual(9)
  })

  it('have forgotten exits, exact duplicates and visits to other floors', () => {
    const lines = rows.map((row) => row.join(';'))
    const duplicates = lines.length - new Set(lines).size
    expect(duplicates / lines.length).toBeGreaterThan(0.001)
    const days = [...readSwipes().values()]
    expect(days.filter((swipes) => swipes.at(-1)?.isEntry).length / days.length).toBeGreaterThan(0.02)
    expect(days.filter((swipes) => new Set(swipes.map(({ space }) => space)).size > 1).length).toBeGreaterThan(5)
  })
})

function pathOf(spaces: ReadonlyMap<string, { parent_id: string | null }>, space: string): string[] {
  const path: string[] = []
  for (let id: string | null = space; id !== null; id = spaces.get(id)?.parent_id ?? null) path.push(id)
  return path
}
