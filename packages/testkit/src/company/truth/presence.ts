import { exitSwiped, lost, openingHoursOf, type Stays } from '../days/stays.ts'
import { weekdayOf } from '../model/calendar.ts'
import type { Organization } from '../model/company.ts'

const minutesOfDay = 1_440
/** A person without an exit on a day on which a space is closed stays until then. */
const closesOtherwise = 1_200

/**
 * The presence of one day. Arrays by space and hour have 24 entries for each space; hours outside the opening hours are
 * 0. The arrays are used again for the next day.
 */
export interface Presence {
  /** Different people in each space, or below it. */
  attendance: Uint32Array
  /** Minutes that people spent in each space or below it, by hour. An hour's average occupancy is a sixtieth. */
  personMinutes: Uint32Array
  /** The most people at any minute, by hour. */
  peaks: Uint32Array
  /** Different people of each team, or of the teams below it. */
  teamAttendance: Uint32Array
}

/**
 * Creates a function that counts the presence of a day from the stays of people:
 *
 * - Attendance: a person with at least one stay in the space or below it, on that local day.
 * - A stay lasts from the minute of its entry until the minute of its exit, which is not included. Without a swipe at
 *   the exit it lasts until the next entry of the person; if there is none, until the opening hours of the space end
 *   (20:00 on a day without), or until its entry if that is later.
 * - Occupancy at a minute: people in a stay in the space or below it. A person is in one space at a time.
 *
 * @param recordedOnly ignores stays at a broken reader, as anyone must who knows the swipes alone
 */
export function createPresenceCounter(organization: Organization) {
  const { spaces, teams } = organization
  const { opens, closes } = openingHoursOf(spaces)
  const spacePaths = pathsOf(spaces)
  const teamPaths = pathsOf(teams)
  const changes = new Int32Array(spaces.length * (minutesOfDay + 1))
  const lastSeen = new Int32Array(spaces.length)
  const presence: Presence = {
    attendance: new Uint32Array(spaces.length),
    personMinutes: new Uint32Array(spaces.length * 24),
    peaks: new Uint32Array(spaces.length * 24),
    teamAttendance: new Uint32Array(teams.length),
  }

  return (day: number, stays: Stays, teamsOfPeople: Int32Array, recordedOnly = false): Presence => {
    for (const counts of Object.values(presence)) counts.fill(0)
    changes.fill(0)
    lastSeen.fill(-1)
    const isOpen = weekdayOf(organization, day) < 5
    const { attendance, teamAttendance } = presence
    let countedPerson = -1
    for (let stay = 0; stay < stays.length; stay += 1) {
      if (recordedOnly && (stays.flags[stay] ?? 0) & lost) continue
      const person = stays.person[stay] ?? 0
      const space = stays.space[stay] ?? 0
      const from = Math.floor((stays.from[stay] ?? 0) / 60)
      const until = endOf(stays, stay, isOpen ? (closes[space] ?? 0) : closesOtherwise, recordedOnly)
      for (const ancestor of spacePaths[space] ?? []) {
        if (lastSeen[ancestor] !== person) increase(attendance, ancestor, 1)
        lastSeen[ancestor] = person
        increase(changes, ancestor * (minutesOfDay + 1) + from, 1)
        increase(changes, ancestor * (minutesOfDay + 1) + until, -1)
      }
      if (person === countedPerson) continue
      countedPerson = person
      for (const team of teamPaths[teamsOfPeople[person] ?? -1] ?? []) increase(teamAttendance, team, 1)
    }
    if (isOpen)
      for (let space = 0; space < spaces.length; space += 1)
        if (attendance[space] !== 0) sumHours(presence, changes, space, [opens[space] ?? 0, closes[space] ?? 0])
    return presence
  }
}

/** Returns the minute in which a stay ends. */
function endOf(
  { length, person, from, to, flags }: Stays,
  stay: number,
  closes: number,
  recordedOnly: boolean,
): number {
  if ((flags[stay] ?? 0) & exitSwiped) return Math.floor((to[stay] ?? 0) / 60)
  let next = stay + 1
  while (recordedOnly && next < length && (flags[next] ?? 0) & lost) next += 1
  if (next < length && person[next] === person[stay]) return Math.floor((from[next] ?? 0) / 60)
  return Math.max(closes, Math.floor((from[stay] ?? 0) / 60))
}

function sumHours(
  { personMinutes, peaks }: Presence,
  changes: Int32Array,
  space: number,
  [opens, closes]: readonly [opens: number, closes: number],
): void {
  const first = space * (minutesOfDay + 1)
  let level = 0
  for (let minute = 0; minute < closes; minute += 1) {
    level += changes[first + minute] ?? 0
    if (minute < opens) continue
    const hour = space * 24 + Math.floor(minute / 60)
    increase(personMinutes, hour, level)
    if (level > (peaks[hour] ?? 0)) peaks[hour] = level
  }
}

/** Returns, for each node of a tree, its index and those of all above it. */
const pathsOf = (nodes: readonly { parent: number }[]): number[][] => {
  const paths: number[][] = []
  for (const [index, { parent }] of nodes.entries()) paths.push([index, ...(paths[parent] ?? [])])
  return paths
}

function increase(counts: Uint32Array | Int32Array, index: number, by: number): void {
  counts[index] = (counts[index] ?? 0) + by
}
