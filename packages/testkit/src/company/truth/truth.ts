import type { Booking } from '../bookings/booking.ts'
import type { DayCounts } from '../days/count-day.ts'
import type { CompanyDay } from '../days/generate-days.ts'
import { lost } from '../days/stays.ts'
import type { Company } from '../model/company.ts'
import { createBookingTotals } from './booking-totals.ts'
import { createPresenceCounter } from './presence.ts'
import { createSpaceDayReader, type SpaceDay } from './space-series.ts'

/** What the badge events say of a space or a team on a day, where it is not what happened. */
interface Measured {
  spaces: ({ space: number; day: number } & SpaceDay)[]
  teams: { team: number; day: number; attendance: number }[]
}

/**
 * Collects what happens from the generated stays, without the swipes. Its memory grows with spaces and days, so it is
 * not for companies of thousands of floors.
 */
export function createTruth(company: Company) {
  const { spaces, teams } = company
  const readSpaceDay = createSpaceDayReader(company)
  const [countActual, countRecorded] = [createPresenceCounter(company), createPresenceCounter(company)]
  const spaceDays: SpaceDay[][] = spaces.map(() => [])
  const teamAttendance: number[][] = teams.map(() => [])
  const headcount: number[][] = teams.map(() => [])
  const measured: Measured = { spaces: [], teams: [] }
  const bookings = createBookingTotals(company)
  const door: { in: number; out: number }[] = []

  const addMeasured = ({ day, stays, teams: teamsOfPeople }: CompanyDay) => {
    const recorded = countRecorded(day, stays, teamsOfPeople, true)
    for (const space of spaces.keys()) {
      const shown = readSpaceDay(recorded, space, day)
      if (JSON.stringify(shown) !== JSON.stringify(spaceDays[space]?.[day]))
        measured.spaces.push({ space, day, ...shown })
    }
    for (const team of teams.keys()) {
      const attendance = recorded.teamAttendance[team] ?? 0
      if (attendance !== teamAttendance[team]?.[day]) measured.teams.push({ team, day, attendance })
    }
  }

  return {
    spaceDays,
    teamAttendance,
    headcount,
    measured,
    bookings,
    door,
    /** Adds a day. The days must follow each other from the first one. */
    addDay(companyDay: CompanyDay, booked: readonly Booking[], counts: DayCounts): void {
      const { day, stays, teams: teamsOfPeople } = companyDay
      const presence = countActual(day, stays, teamsOfPeople)
      for (const space of spaces.keys()) spaceDays[space]?.push(readSpaceDay(presence, space, day))
      const heads = countMembers(company, teamsOfPeople)
      for (const team of teams.keys()) {
        teamAttendance[team]?.push(presence.teamAttendance[team] ?? 0)
        headcount[team]?.push(heads[team] ?? 0)
      }
      if (stays.flags.subarray(0, stays.length).some((flags) => flags & lost)) addMeasured(companyDay)
      for (const booking of booked) bookings.add(booking)
      door.push({ in: sum(counts.in), out: sum(counts.out) })
    },
  }
}

export type Truth = ReturnType<typeof createTruth>

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

/** Returns the members of each team on a day, including the teams below. */
function countMembers({ teams }: Company, teamsOfPeople: Int32Array): number[] {
  const counts = teams.map(() => 0)
  for (const team of teamsOfPeople)
    for (let current = team; current >= 0; current = teams[current]?.parent ?? -1)
      counts[current] = (counts[current] ?? 0) + 1
  return counts
}
