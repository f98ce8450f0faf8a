import { openingHoursOf } from '../days/stays.ts'
import { dateOf, weekdayOf } from '../model/calendar.ts'
import type { Company, Fault } from '../model/company.ts'
import { findClosures, summarizeClosures } from '../truth/closures.ts'
import { definitions } from '../truth/definitions.ts'
import { mean, percentile } from '../truth/space-series.ts'
import type { Truth } from '../truth/truth.ts'
import type { CalendarOccurrence } from './room-calendar.ts'
import { bookingName, sensorNames } from './spellings.ts'

/** Returns the contents of `expected.json`: the truth about a company, by the identifiers of its files. */
export function describeTruth(company: Company, truth: Truth, occurrences: readonly CalendarOccurrence[]) {
  const { spaces, teams, readers, holidays, options, days, reorganization } = company
  const { opens, closes } = openingHoursOf(spaces)
  const spaceId = (space: number) => spaces[space]?.id ?? ''
  const teamId = (team: number) => teams[team]?.id ?? ''
  const date = (day: number) => dateOf(company, day)
  const faultOf = (fault: Fault | undefined) =>
    fault && { space_id: spaceId(fault.space), from: date(fault.from), until: date(fault.until) }
  const attendance = truth.spaceDays.map((own) => own.map((day) => day.attendance))
  const closures = findClosures(company, attendance)
  const homeCounts = countHomes(company, truth)

  return {
    definitions,
    options,
    days: Array.from({ length: days }, (_, day) => date(day)),
    spaceMap: {
      badges: Object.fromEntries(readers.map(({ name, space }) => [name, spaceId(space)])),
      bookings: Object.fromEntries(
        spaces.flatMap(({ kind, id }, space) =>
          kind === 'room' || kind === 'zone' ? [[bookingName(company, space), id] as const] : [],
        ),
      ),
      counts: { [sensorNames.door]: spaceId(company.doorCounter), [sensorNames.camera]: spaceId(company.camera) },
    },
    teamMap: Object.fromEntries(teams.map(({ unit, id }) => [unit, id])),
    holidays: Object.fromEntries(
      spaces.flatMap(({ id, parent }, space) =>
        parent < 0 ? [[id, [...(holidays[space] ?? [])].map(date)] as const] : [],
      ),
    ),
    reorganization: reorganization && {
      day: date(reorganization.day),
      split: teamId(reorganization.split),
      created: teamId(reorganization.created),
    },
    brokenReader: faultOf(company.brokenReader),
    brokenCamera: faultOf(company.brokenCamera),
    spaces: spaces.map(({ id, parent, kind, capacity }, space) => {
      const own = truth.spaceDays[space] ?? []
      return {
        id,
        parent_id: parent < 0 ? null : spaceId(parent),
        kind,
        capacity,
        opens: opens[space],
        closes: closes[space],
        attendance: attendance[space],
        peak: own.map(({ peak }) => peak),
        personMinutes: own.map(({ personMinutes }) => personMinutes),
        hourlyPersonMinutes: own.map(({ hourlyPersonMinutes }) => hourlyPersonMinutes),
        hourlyPeaks: own.map(({ hourlyPeaks }) => hourlyPeaks),
        sharing: share(
          homeCounts[space] ?? 0,
          own.flatMap(({ peak }, day) => (peak === null || holidays[space]?.has(day) ? [] : [peak])),
        ),
      }
    }),
    teams: teams.map(({ id, parent, home }, team) => {
      const came = truth.teamAttendance[team] ?? []
      const headcount = truth.headcount[team] ?? []
      const isWorkingDay = (day: number) => weekdayOf(company, day) < 5 && !holidays[homeOf(company, team)]?.has(day)
      return {
        id,
        parent_id: parent < 0 ? null : teamId(parent),
        home_space_id: home < 0 ? null : spaceId(home),
        attendance: came,
        headcount,
        coAttendance: mean(came.flatMap((count, day) => (count > 0 ? [count / (headcount[day] ?? 0)] : []))),
        sharing: share(
          headcount.at(-1) ?? 0,
          came.filter((_, day) => isWorkingDay(day)),
        ),
      }
    }),
    measured: {
      spaces: truth.measured.spaces.map(({ space, day, ...own }) => ({ space_id: spaceId(space), day, ...own })),
      teams: truth.measured.teams.map(({ team, day, ...own }) => ({ team_id: teamId(team), day, ...own })),
    },
    noShows: {
      ...truth.bookings.all,
      share: truth.bookings.all.noShows / Math.max(1, truth.bookings.all.booked),
      spaces: [...truth.bookings.bySpace].map(([space, weekdays]) => ({ space_id: spaceId(space), weekdays })),
    },
    counts: { door: truth.door },
    calendar: { space_id: spaceId(company.calendarRoom), occurrences },
    closures: {
      ...summarizeClosures(closures),
      weekdays: closures,
      avoidableCost: Object.fromEntries(
        spaces.flatMap(({ id, kind, annualRent, annualServices, avoidablePercent }) =>
          kind === 'floor' ? [[id, (annualRent + annualServices) * avoidablePercent] as const] : [],
        ),
      ),
    },
  }
}

/** Returns headcount per desk needed, by the highest value and by the 90th percentile; null where no desk is needed. */
function share(headcount: number, values: readonly number[]) {
  const [peak, p90] = [Math.max(0, ...values), percentile(values, 0.9)]
  return {
    headcount,
    peak,
    p90,
    ratio: peak === 0 ? null : headcount / peak,
    ratioP90: p90 === 0 ? null : headcount / p90,
  }
}

/** Returns the home of a team, or of the first team below it that has one. */
function homeOf({ teams }: Company, team: number): number {
  const own = teams[team]?.home ?? -1
  return own >= 0 ? own : (teams.find(({ parent, home }) => parent === team && home >= 0)?.home ?? -1)
}

/** Returns, for each space, the people on the last day whose team has its home there or below. */
function countHomes({ spaces, teams, days }: Company, { headcount }: Truth): number[] {
  const counts = spaces.map(() => 0)
  for (const [team, { home }] of teams.entries())
    for (let space = home; space >= 0; space = spaces[space]?.parent ?? -1)
      counts[space] = (counts[space] ?? 0) + (headcount[team]?.[days - 1] ?? 0)
  return counts
}
