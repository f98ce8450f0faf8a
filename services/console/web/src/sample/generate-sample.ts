import { createRandom, type Random } from './random.ts'

/** A floor of the sample building. Costs are euros a year. */
export interface SampleFloor {
  name: string
  capacity: number
  annualCost: number
}

export interface SampleTeam {
  name: string
  headcount: number
  /** Index of the floor it sits on. */
  floor: number
}

/** The sample building and its files, as a manager would export them. */
export interface SampleBuilding {
  floors: readonly SampleFloor[]
  /** One meeting room on each floor. */
  rooms: readonly { name: string; capacity: number }[]
  teams: readonly SampleTeam[]
  badgeFile: string
  bookingsFile: string
}

export const siteName = 'Harbour House (sample)'

const floors: readonly SampleFloor[] = [
  { name: 'Ground floor', capacity: 34, annualCost: 252_000 },
  { name: 'Floor 1', capacity: 32, annualCost: 236_000 },
  { name: 'Floor 2', capacity: 30, annualCost: 222_000 },
  { name: 'Floor 3', capacity: 26, annualCost: 195_000 },
]
const rooms = [
  { name: 'Elbe room', capacity: 12 },
  { name: 'Alster room', capacity: 8 },
  { name: 'Dock room', capacity: 6 },
  { name: 'Lighthouse', capacity: 10 },
]
const teams: readonly SampleTeam[] = [
  { name: 'Sales', headcount: 24, floor: 0 },
  { name: 'Support', headcount: 20, floor: 0 },
  { name: 'Engineering', headcount: 28, floor: 1 },
  { name: 'Product', headcount: 14, floor: 1 },
  { name: 'Marketing', headcount: 18, floor: 2 },
  { name: 'Finance', headcount: 16, floor: 2 },
  { name: 'Operations', headcount: 18, floor: 3 },
  { name: 'People and culture', headcount: 12, floor: 3 },
]

const weeks = 26
const dayMs = 86_400_000
/** The share of people who come from Sunday to Saturday: Tuesdays are full, Fridays empty. */
const attendance = [0, 0.5, 0.81, 0.64, 0.57, 0.2, 0]
/** Fewer people come in the weeks of holidays. */
const quietShare = 0.75
const noShowShare = 0.28
const cancelledShare = 0.08

/**
 * Makes the sample building with the files of its last 26 weeks, up to yesterday. The same seed and day give the same
 * files.
 * @param today local date, such as `2026-03-05`
 */
export function generateSample(seed: number, today: string): SampleBuilding {
  const random = createRandom(seed)
  const end = Date.parse(today)
  const days = Array.from({ length: weeks * 7 }, (_, index) => end - (weeks * 7 - index) * dayMs)
  return { floors, rooms, teams, badgeFile: badgeEvents(days, random), bookingsFile: bookings(days, random) }
}

function badgeEvents(days: readonly number[], random: Random): string {
  const people = teams.flatMap(({ name, headcount, floor }) =>
    // Some come nearly every day, others rarely.
    Array.from({ length: headcount }, () => ({ team: name, floor, habit: 0.75 + 0.5 * random.share() })),
  )
  const lines = ['Badge;Team;Reader;Event;Time']
  for (const day of days) {
    const share = attendance[new Date(day).getUTCDay()] ?? 0
    const week = Math.floor(day / (7 * dayMs))
    const season = week % 9 === 0 ? quietShare : 1
    for (const [index, { team, floor, habit }] of people.entries()) {
      if (!random.chance(share * habit * season)) continue
      const badge = `B-${String(1001 + index)}`
      // One in eight sits with another team that day.
      const reader = floors[random.chance(0.125) ? random.below(floors.length) : floor]?.name ?? ''
      const arrives = 7 * 60 + 15 + random.below(130)
      const leaves = 15 * 60 + 30 + random.below(165)
      lines.push(`${badge};${team};${reader};in;${localTime(day, arrives)}`)
      lines.push(`${badge};${team};${reader};out;${localTime(day, leaves)}`)
    }
  }
  return lines.join('\n')
}

function bookings(days: readonly number[], random: Random): string {
  const lines = ['Booking;Room;Start;End;Attendees;Checked in;Cancelled']
  let number = 5000
  for (const day of days) {
    const share = attendance[new Date(day).getUTCDay()] ?? 0
    for (const { name, capacity } of rooms)
      for (let hour = 9; hour < 17; hour += 2) {
        if (!random.chance(share)) continue
        number += 1
        const isCancelled = random.chance(cancelledShare)
        const isUsed = !isCancelled && !random.chance(noShowShare)
        const attendees = 2 + random.below(capacity - 1)
        const [start, end] = [localTime(day, hour * 60), localTime(day, hour * 60 + 60 + 30 * random.below(3))]
        lines.push(
          `${number};${name};${start};${end};${attendees};${isUsed ? 'yes' : 'no'};${isCancelled ? 'yes' : 'no'}`,
        )
      }
  }
  return lines.join('\n')
}

/** Returns the local time of a minute of a day, as the export of an access system writes it. */
const localTime = (day: number, minute: number): string =>
  `${new Date(day).toISOString().slice(0, 10)} ${twoDigits(Math.floor(minute / 60))}:${twoDigits(minute % 60)}`

const twoDigits = (value: number): string => String(value).padStart(2, '0')
