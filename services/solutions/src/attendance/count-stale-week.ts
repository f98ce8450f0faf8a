import type { Highs } from 'highs'
import type { PrivacyRule } from '../privacy/sensitive-cells.ts'
import type { SegmentRow } from '../store/facts.ts'
import { peopleSubjects, type WeekRows } from '../store/figures.ts'
import { dateOf, dayOf } from '../workplace/local-days.ts'
import { type CountedWeek, countWeek } from './counting/count-week.ts'
import { type FactTable, mergeFacts, packFacts, unpackFacts } from './counting/facts.ts'
import type { WeekContext } from './counting/measures.ts'

/** A week to count: everything that it depends on. */
export interface WeekInput {
  context: WeekContext
  /** Segments of the days, of the one before and after the week, and of the people. */
  segments: readonly SegmentRow[]
  /** The days to count, such as `2026-03-05`. */
  days: readonly string[]
  /** The Monday. */
  week: string
  rule: PrivacyRule
}

/** A dataset and day whose segments are replaced by one. Without facts, nothing is left of it. */
export interface PackedDay {
  datasetId: string
  day: string
  segmentIds: number[]
  facts: Uint8Array | null
}

/** Counts a week from its packed facts. @returns the rows of its figures, and the days to pack again */
export function countStaleWeek(
  { context, segments, days, week, rule }: WeekInput,
  solver?: Highs,
): {
  rows: WeekRows
  packed: PackedDay[]
} {
  const facts = mergeSegments(segments)
  const counted = countWeek(context, facts, days.map(dayOf), rule, solver)
  return { rows: rowsOf(context, counted, week), packed: packDays(segments, facts) }
}

/** Merges the segments of each dataset and day. */
function mergeSegments(segments: readonly SegmentRow[]): Map<string, Map<number, FactTable>> {
  const byDataset = Map.groupBy(segments, ({ datasetId }) => datasetId)
  return new Map(
    [...byDataset].map(([datasetId, own]) => {
      const byDay = Map.groupBy(own, ({ day }) => dayOf(day))
      return [
        datasetId,
        new Map([...byDay].map(([day, rows]) => [day, mergeFacts(rows.map(({ facts }) => unpackFacts(facts)))])),
      ]
    }),
  )
}

/** Packs the days of a dataset that have several segments. */
function packDays(
  segments: readonly SegmentRow[],
  facts: ReadonlyMap<string, ReadonlyMap<number, FactTable>>,
): PackedDay[] {
  return [...Map.groupBy(segments, ({ datasetId, day }) => `${datasetId} ${day}`).values()].flatMap((own) => {
    const [first] = own
    if (first === undefined || own.length === 1) return []
    const { datasetId, day } = first
    const table = facts.get(datasetId)?.get(dayOf(day))
    const segmentIds = own.map(({ segmentId }) => segmentId)
    return [
      { datasetId, day, segmentIds, facts: table === undefined || table.counts.length === 0 ? null : packFacts(table) },
    ]
  })
}

/** Returns the rows of a week. Spaces and teams that no dataset tells of have none. */
function rowsOf({ spaces, teams }: WeekContext, week: CountedWeek, monday: string): WeekRows {
  const spaceId = (position: number) => spaces.nodes[position]?.id
  const teamId = (position: number) => teams.nodes[position]?.id
  return {
    spaceDays: week.days.flatMap(({ day, spaces: figures }) =>
      figures
        .filter(({ source, attendanceSource }) => source !== null || attendanceSource !== null)
        .map(({ space, ...figure }) => ({ ...figure, spaceId: spaceId(space), day: dateOf(day) })),
    ),
    teamDays: week.days.flatMap(({ day, teams: figures }) =>
      figures
        .filter(({ attendance, headcount }) => attendance !== null || headcount !== null)
        .map(({ team, ...figure }) => ({ ...figure, teamId: teamId(team), day: dateOf(day) })),
    ),
    bookingDays: week.days.flatMap(({ day, bookings }) =>
      [...bookings].map(([space, figures]) => ({ ...figures, spaceId: spaceId(space), day: dateOf(day) })),
    ),
    readerDays: week.days.flatMap(({ day, readers }) => readers.map((reader) => ({ ...reader, day: dateOf(day) }))),
    weekAttendance: [
      ...week.spaces.map((cell, position) => ({ ...cell, subject: spaceId(position), usualSpaceId: null })),
      ...week.teams.map((cell, position) => ({
        ...cell,
        subject: teamId(position),
        usualSpaceId: spaceId(week.usualSpaces[position] ?? -1),
      })),
      ...Object.entries(peopleSubjects).map(([name, subject]) => ({
        // The names of the object.
        attendance: week.people[name as keyof typeof peopleSubjects],
        isSuppressed: false,
        subject,
        usualSpaceId: null,
      })),
    ]
      .filter(({ attendance, isSuppressed }) => attendance > 0 || isSuppressed)
      .map((cell) => ({ ...cell, week: monday })),
  }
}
