import { describe, expect, it } from '@jest/globals'
import { generateSample } from '../../../web/src/sample/generate-sample.ts'

const today = '2026-03-05'
const sample = generateSample(7, today)
const rowsOf = (file: string) =>
  file
    .split('\n')
    .slice(1)
    .map((line) => line.split(';'))
const badges = rowsOf(sample.badgeFile)

describe('the sample building', () => {
  it('is the same for the same seed and day, and another for another seed', () => {
    expect(generateSample(7, today)).toEqual(sample)
    expect(generateSample(8, today).badgeFile).not.toBe(sample.badgeFile)
  })

  it('has 150 people in eight teams on four floors, and 26 weeks up to yesterday', () => {
    expect(sample.teams.reduce((sum, { headcount }) => sum + headcount, 0)).toBe(150)
    const days = [...new Set(badges.map((row) => row[4]?.slice(0, 10) ?? ''))].sort()
    expect([days[0], days.at(-1)]).toEqual(['2025-09-04', '2026-03-04'])
    expect(new Set(badges.map((row) => row[2]))).toEqual(new Set(sample.floors.map(({ name }) => name)))
    expect(badges.length).toBeLessThan(25_000)
  })

  it('is nearly full on Tuesdays, quiet on Fridays and closed at weekends', () => {
    const places = sample.floors.reduce((sum, { capacity }) => sum + capacity, 0)
    const entries = badges
      .filter((row) => row[3] === 'in')
      .map((row) => new Date(row[4]?.slice(0, 10) ?? '').getUTCDay())
    const meanOf = (weekday: number) => entries.filter((day) => day === weekday).length / 26
    expect(meanOf(2) / places).toBeGreaterThan(0.85)
    expect(meanOf(2) / places).toBeLessThan(1.02)
    expect(meanOf(5) / places).toBeLessThan(0.3)
    expect(meanOf(0) + meanOf(6)).toBe(0)
  })

  it('has every exit after its entry, on the same floor', () => {
    for (let index = 0; index < badges.length; index += 2) {
      const [entry, exit] = [badges[index] ?? [], badges[index + 1] ?? []]
      expect([entry[3], exit[3], exit.slice(0, 3)]).toEqual(['in', 'out', entry.slice(0, 3)])
      expect((exit[4] ?? '') > (entry[4] ?? '')).toBe(true)
    }
  })

  it('has bookings, of which a quarter was not used', () => {
    const bookings = rowsOf(sample.bookingsFile)
    const unused = bookings.filter(([, , , , , used, cancelled]) => used === 'no' && cancelled === 'no')
    expect(unused.length / bookings.length).toBeGreaterThan(0.2)
    expect(unused.length / bookings.length).toBeLessThan(0.33)
    expect(new Set(bookings.map(([id]) => id)).size).toBe(bookings.length)
  })
})
