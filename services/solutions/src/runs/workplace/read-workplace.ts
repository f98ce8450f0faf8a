import type { Weekday } from '@wp/contracts'
import type { Query } from '@wp/database'
import { failure } from '../../failure.ts'
import type { Db } from '../../store/client.ts'
import { type Dataset, findAllDatasets } from '../../store/datasets.ts'
import { countStaleWeeks, findFactRange, findFactRanges } from '../../store/facts.ts'
import { type DayColumn, findColumns, type HistoryMeasure } from '../../store/forecast-series.ts'
import type { SpaceNode } from '../../store/spaces.ts'
import { readPrivacyThreshold } from '../../store/workplace-settings.ts'
import { effectiveValues } from '../../workplace/inherit.ts'
import { dateOf, dayOf, weekdayOf } from '../../workplace/local-days.ts'
import { unreadWarnings } from '../../workplace/unread-warnings.ts'
import { readMissingDays } from './missing-days.ts'
import { type AskedWorkplace, readScope, type ScopeNode } from './scope.ts'

/** A space or team with its history. */
export interface WorkplaceNode extends ScopeNode {
  /** One for each day of the history; null without one. */
  values: (number | null)[]
  /** The number of people it tells about: the members of a team, or the attendance of a usual day; null without any. */
  size: number | null
  /** Bookings by day from the first one of the history on, days to come included; empty without any. */
  bookings: number[]
}

export interface Workplace {
  isTeam: boolean
  nodes: WorkplaceNode[]
  /** The first and the last day of the history. */
  first: string
  last: string
  threshold: number
  /** Weeks that are still being counted, of which the history lacks days. */
  pendingWeeks: number
  warnings: string[]
}

/** Days of a history, and values of all. */
const [maxDays, maxValues] = [3_700, 2_000_000]
/** Bookings are read for whole weeks. */
const daysAhead = 98

/**
 * Reads the history of the spaces or teams of a run, up to the last day that all of its datasets tell about.
 * @param today the local date: a day that has not ended is no history
 * @throws JobFailure if there is no history
 */
export async function readWorkplace(
  db: Db,
  query: Query,
  workspaceId: string,
  asked: AskedWorkplace,
  today: string,
): Promise<Workplace> {
  const found = await findHistory(db, query, workspaceId, asked, today)
  if (found === undefined) throw failure('no_data', 'No dataset of the workspace has counted anyone before today.')
  const { scope, datasets, last, warnings } = found
  const days = Math.min(maxDays, Math.floor(maxValues / scope.nodes.length))
  const first = dateOf(Math.max(dayOf(found.first), dayOf(last) - days + 1))
  const range = { first, last }
  const ids = scope.nodes.map(({ id }) => id)
  const missing = await readMissingDays(query, workspaceId, scope, datasets)
  const pendingWeeks = await countStaleWeeks(query, workspaceId)
  if (pendingWeeks > 0) warnings.push(`${pendingWeeks} weeks are still being counted, so the history may change.`)
  warnings.push(...(await unreadWarnings(query, workspaceId)))
  const length = dayOf(last) - dayOf(first) + 1
  const columnsOf = async (measure: keyof typeof findColumns, until = last): Promise<Map<string, DayColumn>> =>
    new Map((await findColumns[measure](query, workspaceId, ids, first, until)).map((column) => [column.id, column]))
  const columns = await columnsOf(measureOf(asked))
  const hasBookings = !scope.isTeam && asked.use_bookings
  const booked = hasBookings ? await columnsOf('bookings', dateOf(dayOf(last) + daysAhead)) : new Map()
  const nodes = scope.nodes.map((node): WorkplaceNode => {
    const column = columns.get(node.id)
    const isMissing = (offset: number) => missing.get(node.id)?.has(dateOf(dayOf(first) + offset)) ?? false
    const counted = spread(column, new Array<number | null>(length).fill(null)).map((value, offset) =>
      isMissing(offset) ? null : value,
    )
    const values = fillClosedDays(counted, node.place, first)
    const bookings = new Array<number>(booked.has(node.id) ? length + daysAhead : 0).fill(0)
    const size = column?.headcount ?? typicalOf(values)
    return { ...node, values, size, bookings: spread(booked.get(node.id), bookings) }
  })
  const threshold = await readPrivacyThreshold(query, workspaceId)
  return { isTeam: scope.isTeam, ...range, threshold, pendingWeeks, warnings, nodes }
}

export const measureOf = ({ level, measure }: AskedWorkplace): HistoryMeasure =>
  level === 'team' ? 'teams' : measure === 'peak' ? 'peak' : 'attendance'

/** Reads the spaces or teams of a run, and the first and the last day of their history; undefined without any. */
export async function findHistory(db: Db, query: Query, workspaceId: string, asked: AskedWorkplace, today: string) {
  const scope = await readScope(query, workspaceId, asked)
  const datasets = await findAllDatasets(db, workspaceId)
  const { last, warnings } = lastDayOf(datasets, await findFactRanges(query, workspaceId), asked, today)
  const facts = await findFactRange(query, workspaceId)
  if (last === undefined || facts === null || facts.first > last || scope.nodes.length === 0) return undefined
  return { scope, datasets, first: facts.first, last, warnings }
}

/** Sets the values of a column in days. */
function spread<Value>(column: DayColumn | undefined, days: (Value | number)[]): (Value | number)[] {
  for (const [at, offset] of column?.offsets.entries() ?? []) days[offset] = column?.values[at] ?? 0
  return days
}

/**
 * Fills weekdays that the opening hours close, and of which no day has a value, with 0 from the first value on: a
 * counter that is off at weekends leaves no rows, and days like those around them would be forecast.
 */
export function fillClosedDays(
  values: readonly (number | null)[],
  place: readonly SpaceNode[],
  first: string,
): (number | null)[] {
  const { openingHours } = effectiveValues(place)
  const weekdayAt = (at: number) => weekdayOf(dayOf(first) + at)
  const counted = new Set(values.flatMap((value, at) => (value === null ? [] : weekdayAt(at))))
  const begin = values.findIndex((value) => value !== null)
  const isClosed = (weekday: Weekday) => openingHours[weekday] === undefined && !counted.has(weekday)
  return values.map((value, at) => (begin >= 0 && at > begin && isClosed(weekdayAt(at)) ? 0 : value))
}

/** Returns the median of the days with people; null without any. */
function typicalOf(values: readonly (number | null)[]): number | null {
  const present = values.flatMap((value) => (value === null || value === 0 ? [] : value)).sort((a, b) => a - b)
  return present[Math.floor(present.length / 2)] ?? null
}

/** A dataset that ended so many days before another one was replaced by it. */
const retiredDays = 28

/** Returns the last day that all datasets tell about, but for those that were replaced. */
function lastDayOf(
  datasets: readonly Dataset[],
  lastDays: readonly { datasetId: string; last: string }[],
  { measure }: AskedWorkplace,
  today: string,
): { last: string | undefined; warnings: string[] } {
  const yesterday = dateOf(dayOf(today) - 1)
  const daysOf = (kinds: readonly string[]) =>
    lastDays.flatMap(({ datasetId, last }) => {
      const dataset = datasets.find(({ id }) => id === datasetId)
      return kinds.includes(dataset?.kind ?? '') ? { name: dataset?.name, last: earlier(last, yesterday) } : []
    })
  const measured = daysOf(['badge_events', 'attendance_days', ...(measure === 'peak' ? ['counts'] : [])])
  const ends = measured.length === 0 && measure === 'peak' ? daysOf(['bookings']) : measured
  const latest = ends.map(({ last }) => last).sort()[ends.length - 1]
  if (latest === undefined) return { last: undefined, warnings: [] }
  const isRetired = ({ last }: { last: string }) => dayOf(last) < dayOf(latest) - retiredDays
  return {
    last: ends
      .filter((end) => !isRetired(end))
      .map(({ last }) => last)
      .sort()[0],
    warnings: ends
      .filter(isRetired)
      .map(({ name, last }) => `The dataset "${name}" ended on ${last}: what it measured counts as gone since.`),
  }
}

const earlier = (a: string, b: string): string => [a, b].sort()[0] ?? a
