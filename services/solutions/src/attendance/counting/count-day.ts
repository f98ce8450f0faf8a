import type { utilizationSources } from '@wp/contracts'
import { type BookingFigures, countBookings } from './count-bookings.ts'
import { addStatedTeams, membershipsOn, type PeopleFacts } from './count-teams.ts'
import { hoursPerDay, type MeasureFigures, type PeopleCounter, raiseToParts } from './figures.ts'
import { measureBookings, measureCounts } from './measure-counts.ts'
import { measurePeople, type PeopleFigures } from './measure-people.ts'
import type { MappedFacts, Places } from './measures.ts'
import type { NightStays } from './swipes.ts'

/** A measure that figures come from. */
export type Source = (typeof utilizationSources)[number]

/** The facts of all datasets of a workspace on one local day, and the trees they are counted on. */
export interface DayInput {
  /** Days since 1970. */
  day: number
  places: Places
  teamParents: Int32Array
  /** The headcount of each team as it was entered. */
  statedHeadcounts: readonly (number | null)[]
  /** The position of the home of each team; -1 if it has none. */
  homeOf: Int32Array
  facts: Readonly<Record<Source, readonly MappedFacts[]>>
  people: readonly PeopleFacts[]
  /** The people who stayed over the midnight at which the day begins, and over that at which it ends. */
  nights?: { before: NightStays; after: NightStays }
}

export interface SpaceFigures {
  space: number
  attendance: number | null
  attendanceSource: Source | null
  source: Source | null
  /** Empty without a measure that has times. */
  hourlyAttendance: number[]
  hourlyAverage: number[]
  hourlyPeak: number[]
  /** True if levels are raised to those of the counters in the space; see `raiseToParts`. */
  isRaised: boolean
  headcount: number | null
}

export interface TeamFigures {
  team: number
  attendance: number | null
  headcount: number | null
  source: Source | null
}

export interface DayFigures {
  spaces: SpaceFigures[]
  teams: TeamFigures[]
  bookings: Map<number, BookingFigures>
  /** Different people of the day. */
  people: ReadonlySet<number>
  /** Those of them whom no dataset of people has, and no row gives a team; null without such a dataset. */
  peopleInNoList: readonly number[] | null
  /** People by space and by team, for counts of a week. */
  visitors: { spaces: ReadonlyMap<number, readonly number[]>; teams: ReadonlyMap<number, readonly number[]> }
  /** The sites of which people come from lists, which have no hours. */
  listedSites: ReadonlySet<number>
  /** Counters that failed, by dataset of the input. */
  failedCounters: { facts: MappedFacts; value: number }[]
}

/** Rows of a value of the column of spaces, and if it is a counter that failed. */
export interface ReaderRows {
  datasetId: string
  valueId: number
  rows: number
  hasFailed: boolean
}

/** The figures of a day with what only its week needs. */
export interface DayOfWeek extends DayFigures {
  day: number
  /** Bits of the open hours of each space. */
  openHours: number[]
  readers: ReaderRows[]
}

/** Returns true if the space has figures of people by hour. */
export const hasHours = ({ hourlyAttendance }: SpaceFigures): boolean => hourlyAttendance.length === hoursPerDay

/** Counts one local day of a workspace from its facts. */
export function countDay(input: DayInput): DayFigures {
  const { day, places, teamParents, facts } = input
  const persons = measurePeople(facts.badge_events, facts.attendance_days, places, input.nights)
  const counts = measureCounts(facts.counts, places, (space) => (persons.people.attendance[space] ?? 0) > 0)
  const levels: [Source, MeasureFigures][] = [
    ['counts', counts.figures],
    ['badge_events', { ...persons, isCovered: persons.hasReaders }],
    ['bookings', measureBookings(facts.bookings, places)],
  ]

  const memberships = membershipsOn(day, input.people, teamParents, input.statedHeadcounts)
  const teamOf = new Map(memberships.teamOf)
  const stated = addStatedTeams(teamOf, [...facts.badge_events, ...facts.attendance_days])
  const headcounts = homeHeadcounts(input, memberships.headcounts)
  const measureOf = Array.from(places.parents, (_, space) => levels.findIndex(([, of]) => of.isCovered[space] === 1))
  const raised = raiseToParts(
    places.parents,
    measureOf,
    levels.map(([, figures]) => figures),
  )
  const spaces = Array.from(places.parents, (_, space) => ({
    ...spaceFigures(space, persons, levels[measureOf[space] ?? -1], raised.get(space)),
    headcount: headcounts.get(space) ?? null,
  }))

  const present = new Set(personsOf(persons.people))
  const visitors = { spaces: spaceVisitors(persons.people), teams: teamVisitors(present, teamOf, teamParents) }
  const source: Source | null =
    facts.badge_events.length > 0 ? 'badge_events' : facts.attendance_days.length > 0 ? 'attendance_days' : null
  const teams = Array.from(
    teamParents,
    (_, team): TeamFigures => ({
      team,
      attendance: source === null ? null : (visitors.teams.get(team)?.length ?? 0),
      headcount: memberships.headcounts[team] ?? null,
      source,
    }),
  )
  const seen = new Map([...visitors.spaces].map(([space, people]) => [space, new Set(people)]))
  const bookings = countBookings(facts.bookings, places.parents, (space, person) =>
    persons.isCovered[space] === 1 ? (seen.get(space)?.has(person) ?? false) : undefined,
  )
  return {
    spaces,
    teams,
    bookings,
    visitors,
    people: present,
    peopleInNoList:
      input.people.length === 0
        ? null
        : [...present].filter((person) => !memberships.listed.has(person) && !stated.has(person)),
    listedSites: persons.listedSites,
    failedCounters: counts.failed,
  }
}

/** Returns the figures of a space with the level of its measure, or that to which its parts raise it. */
function spaceFigures(
  space: number,
  persons: PeopleFigures,
  level: readonly [Source, MeasureFigures] | undefined,
  raised: { average: number[]; peak: number[] } | undefined,
): Omit<SpaceFigures, 'headcount'> {
  const isCovered = persons.isCovered[space] === 1
  const attendanceSource = !isCovered ? null : persons.hasReaders[space] === 1 ? 'badge_events' : 'attendance_days'
  const hours = (values: Float32Array | Int32Array | undefined): number[] =>
    Array.from(values?.subarray(space * hoursPerDay, (space + 1) * hoursPerDay) ?? [])
  const average = hours(level?.[1].hourlyAverage)
  return {
    space,
    attendance: isCovered ? (persons.people.attendance[space] ?? 0) : null,
    attendanceSource,
    source: level?.[0] ?? attendanceSource,
    hourlyAttendance: persons.hasReaders[space] === 1 ? hours(persons.people.hourlyAttendance) : [],
    hourlyAverage: raised?.average ?? average,
    hourlyPeak: raised?.peak ?? hours(level?.[1].hourlyPeak),
    isRaised: raised?.average.some((people, hour) => people > (average[hour] ?? 0)) ?? false,
  }
}

/** Adds up members by space: each at the home of their team or, if it has none, of the nearest team around it. */
function homeHeadcounts(
  { homeOf, places: { parents }, teamParents }: DayInput,
  headcounts: readonly (number | null)[],
): Map<number, number> {
  const direct = [...headcounts]
  for (const [team, parent] of teamParents.entries()) {
    const [own, around] = [headcounts[team] ?? null, direct[parent] ?? null]
    if (own !== null && around !== null) direct[parent] = around - own
  }
  const sums = new Map<number, number>()
  for (const [team, members] of direct.entries()) {
    if (members === null) continue
    let home = -1
    for (let at = team; at >= 0 && home < 0; at = teamParents[at] ?? -1) home = homeOf[at] ?? -1
    for (let at = home; at >= 0; at = parents[at] ?? -1) sums.set(at, (sums.get(at) ?? 0) + Math.max(0, members))
  }
  return sums
}

function* personsOf({ visits }: PeopleCounter): Generator<number> {
  for (let at = 1; at < visits.length; at += 2) yield visits[at] ?? -1
}

function spaceVisitors({ visits }: PeopleCounter): Map<number, number[]> {
  const visitors = new Map<number, number[]>()
  for (let at = 0; at < visits.length; at += 2) {
    const [space = -1, person = -1] = [visits[at], visits[at + 1]]
    if (visitors.get(space)?.push(person) === undefined) visitors.set(space, [person])
  }
  return visitors
}

function teamVisitors(
  present: Iterable<number>,
  teamOf: ReadonlyMap<number, number>,
  parents: Int32Array,
): Map<number, number[]> {
  const visitors = new Map<number, number[]>()
  for (const person of present)
    for (let at = teamOf.get(person) ?? -1; at >= 0; at = parents[at] ?? -1)
      if (visitors.get(at)?.push(person) === undefined) visitors.set(at, [person])
  return visitors
}
