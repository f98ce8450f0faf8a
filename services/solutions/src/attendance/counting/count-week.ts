import type { Highs } from 'highs'
import type { PrivacyRule } from '../../privacy/sensitive-cells.ts'
import { dateOf } from '../../workplace/local-days.ts'
import { decideUses } from './booking-uses.ts'
import { type BookingFigures, namesOthers, withoutPeople, withoutRepeatedBookings } from './count-bookings.ts'
import {
  countDay,
  type DayFigures,
  type DayInput,
  type DayOfWeek,
  type ReaderRows,
  type SpaceFigures,
  type TeamFigures,
} from './count-day.ts'
import type { FactTable } from './facts.ts'
import { type MappedDataset, type MappedFacts, openHourBits, placesOn, type WeekContext } from './measures.ts'
import { suppressWeek } from './suppress-week.ts'
import { findNightStays } from './swipes.ts'
import { findUsualSpaces } from './usual-spaces.ts'

/** The merged facts of each dataset by day since 1970. */
export type FactsByDataset = ReadonlyMap<string, ReadonlyMap<number, FactTable>>

export interface CountedDay {
  day: number
  spaces: (SpaceFigures & {
    openHours: number
    isSuppressed: boolean
    suppressedHours: number
    suppressedLevels: number
  })[]
  teams: (TeamFigures & { isSuppressed: boolean })[]
  bookings: ReadonlyMap<number, BookingFigures>
  readers: ReaderRows[]
}

export interface CountedWeek {
  days: CountedDay[]
  /** Different people of the week by position of the space or team. */
  spaces: { attendance: number; isSuppressed: boolean }[]
  teams: { attendance: number; isSuppressed: boolean }[]
  /** Different people of the week, and those who are in no list of people on a day: see `peopleInNoList`. */
  people: { all: number; inNoList: number }
  /** See `findUsualSpaces`. */
  usualSpaces: Int32Array
}

/**
 * Counts some days of one week, and decides what is withheld.
 *
 * @param facts of these days, and of the one before and after them for who stays over midnight
 * @param days since 1970, of one week
 * @param solver see `suppressWeek`
 */
export function countWeek(
  context: WeekContext,
  facts: FactsByDataset,
  days: readonly number[],
  rule: PrivacyRule,
  solver?: Highs,
): CountedWeek {
  const swipesOn = (day: number) => factsOn(context, facts, 'badge_events', day)
  const nights = new Map(
    [...new Set(days.flatMap((day) => [day, day + 1]))].map((day) => [
      day,
      findNightStays(swipesOn(day - 1), swipesOn(day)),
    ]),
  )
  const hasFacts = (datasetId: string) => days.some((day) => facts.get(datasetId)?.has(day))
  const ofKind = (kind: string) => days.flatMap((day) => factsOn(context, facts, kind, day))
  const measured = [...ofKind('badge_events'), ...ofKind('attendance_days')]
  const strangers = [...Map.groupBy(ofKind('bookings'), ({ dataset }) => dataset.id)].flatMap(([id, own]) =>
    namesOthers(own, measured) ? [id] : [],
  )
  const figures = days.map((day) => {
    const [before, after] = [nights.get(day) ?? new Map(), nights.get(day + 1) ?? new Map()]
    return countDayOf(context, facts, day, { nights: { before, after }, hasFacts, strangers })
  })
  const week = {
    spaces: countUnion(figures, context.spaces.nodes.length, ({ visitors }) => visitors.spaces),
    teams: countUnion(figures, context.teams.nodes.length, ({ visitors }) => visitors.teams),
    total: new Set(figures.flatMap(({ people }) => [...people])).size,
  }
  const suppressed = suppressWeek(context, figures, week, rule, solver)
  return {
    days: figures.map((day, at) => ({
      day: day.day,
      bookings: day.bookings,
      readers: day.readers,
      spaces: day.spaces.map((space, position) => ({
        ...space,
        openHours: day.openHours[position] ?? 0,
        isSuppressed: suppressed.spaces(at, position),
        suppressedHours: suppressed.hours(at, position),
        suppressedLevels: suppressed.levels(at, position),
      })),
      teams: day.teams.map((team, position) => ({ ...team, isSuppressed: suppressed.teams(at, position) })),
    })),
    spaces: week.spaces.map((attendance, position) => ({ attendance, isSuppressed: suppressed.weekSpaces(position) })),
    teams: week.teams.map((attendance, position) => ({ attendance, isSuppressed: suppressed.weekTeams(position) })),
    people: { all: week.total, inNoList: new Set(figures.flatMap((day) => day.peopleInNoList ?? [])).size },
    usualSpaces: findUsualSpaces(context, figures, week, { ...rule, suppressed }),
  }
}

/** Returns the facts of a day of each dataset of a kind that has some. */
const factsOn = ({ datasets }: WeekContext, facts: FactsByDataset, kind: string, day: number) =>
  datasets.flatMap((mapped): (MappedFacts & MappedDataset)[] => {
    const table = mapped.dataset.kind === kind ? facts.get(mapped.dataset.id)?.get(day) : undefined
    return table === undefined ? [] : [{ ...mapped, table }]
  })

function countDayOf(
  context: WeekContext,
  facts: FactsByDataset,
  day: number,
  week: Required<Pick<DayInput, 'nights'>> & { hasFacts: (datasetId: string) => boolean; strangers: string[] },
): DayOfWeek {
  const places = placesOn(context, day)
  const ofKind = (kind: string, on: number) => factsOn(context, facts, kind, on)
  // A dataset without rows on a day between others still has its readers, then silent, and rooms, then free.
  const measured = (kind: string) => {
    const present = ofKind(kind, day)
    const absent = context.datasets.filter(
      ({ dataset, range }) =>
        dataset.kind === kind &&
        week.hasFacts(dataset.id) &&
        range !== null &&
        day >= range.first &&
        day <= range.last &&
        !present.some((it) => it.dataset === dataset),
    )
    return [...present, ...absent.map((mapped) => ({ ...mapped, table: emptyFacts }))]
  }
  const isRoom = (space: number) => context.spaces.nodes[space]?.kind === 'room'
  const bookings = measured('bookings').map((mapped) => decideUses(mapped, dateOf(day)))
  const input = {
    badge_events: measured('badge_events'),
    attendance_days: measured('attendance_days'),
    bookings: withoutRepeatedBookings(bookings, isRoom).map((mapped) =>
      week.strangers.includes(mapped.dataset.id) ? withoutPeople(mapped) : mapped,
    ),
    counts: ofKind('counts', day),
  }
  const figures = countDay({
    day,
    places,
    facts: input,
    homeOf: context.homeOf,
    teamParents: context.teams.parents,
    statedHeadcounts: context.teams.nodes.map(({ headcount }) => headcount),
    people: ofKind('people', 0),
    nights: week.nights,
  })
  return {
    ...figures,
    day,
    openHours: Array.from(places.opens, (opens, at) => openHourBits(opens, places.closes[at] ?? 0)),
    readers: [...input.badge_events, ...input.counts].flatMap(({ dataset, table, spaceOf }) =>
      readersOfDay(dataset.id, table, spaceOf, figures),
    ),
  }
}

const emptyFacts: FactTable = { columns: [], counts: new Int32Array(0) }

function readersOfDay(
  datasetId: string,
  table: FactTable,
  spaceOf: ReadonlyMap<number, number>,
  { failedCounters }: DayFigures,
): ReaderRows[] {
  const rows = new Map<number, number>()
  for (const [at, count] of table.counts.entries()) {
    const value = table.columns[1]?.[at] ?? -1
    rows.set(value, (rows.get(value) ?? 0) + count)
  }
  return [...spaceOf].flatMap(([valueId, space]) =>
    space < 0 || !rows.has(valueId)
      ? []
      : [
          {
            datasetId,
            valueId,
            rows: rows.get(valueId) ?? 0,
            hasFailed: failedCounters.some(({ facts, value }) => facts.table === table && value === valueId),
          },
        ],
  )
}

function countUnion(
  days: readonly DayOfWeek[],
  size: number,
  of: (day: DayOfWeek) => ReadonlyMap<number, readonly number[]>,
): number[] {
  return Array.from({ length: size }, (_, position) => {
    const people = new Set<number>()
    for (const day of days) for (const person of of(day).get(position) ?? []) people.add(person)
    return people.size
  })
}
