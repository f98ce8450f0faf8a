import type { Weekday } from '@wp/contracts'
import type { Query } from '@wp/database'
import { failure } from '../../failure.ts'
import type { Db } from '../../store/client.ts'
import { findAllDatasets } from '../../store/datasets.ts'
import { countStaleWeeks, findFactRange } from '../../store/facts.ts'
import { type DayColumn, findColumns, type HistoryMeasure } from '../../store/forecast-series.ts'
import type { SpaceNode } from '../../store/spaces.ts'
import { readPrivacyThreshold } from '../../store/workplace-settings.ts'
import { effectiveValues } from '../../workplace/inherit.ts'
import { dateOf, dayOf, weekdayOf } from '../../workplace/local-days.ts'
import { listNames } from '../../workplace/tree.ts'
import { unreadWarnings } from '../../workplace/unread-warnings.ts'
import { readHistoryEnd } from './history-end.ts'
import { readMissingDays } from './missing-days.ts'
import { type AskedWorkplace, readScope, type ScopeNode } from './scope.ts'

/** A space or team with its history. */
export interface WorkplaceNode extends ScopeNode {
  /** One for each day of the history; null without one. */
  values: (number | null)[]
  /** The number of people it tells about: the members of a team, or the attendance of a usual day; null without any. */
  size: number | null
  /**
   * True without values of the measure, where another one has some: counters do not tell who came, and lists not when.
   */
  isOfOtherMeasure: boolean
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
  /** Those of `warnings` that tell why the history begins or ends where it does. */
  historyWarnings: readonly string[]
}

/** Days of a history, and values of all. */
const [maxDays, maxValues] = [3_700, 2_000_000]
/** Bookings are read for whole weeks. */
const daysAhead = 98

/**
 * Reads the history of the spaces or teams of a run, up to the last day that is counted of them.
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
  const { scope, datasets, last, retired } = found
  const warnings = [...found.warnings]
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
  const others = scope.isTeam ? new Set() : await findOtherMeasured(query, workspaceId, asked, { ids, columns, range })
  const nodes = scope.nodes.map((node): WorkplaceNode => {
    const column = columns.get(node.id)
    const isMissing = (offset: number) => missing.get(node.id)?.has(dateOf(dayOf(first) + offset)) ?? false
    const counted = spread(column, new Array<number | null>(length).fill(null)).map((value, offset) =>
      isMissing(offset) ? null : value,
    )
    const end = retired.get(node.id)
    const isRetired = end !== undefined && counted.slice(dayOf(end) - dayOf(first) + 1).every((value) => value === null)
    const values = isRetired ? counted.fill(null) : fillClosedDays(counted, node.place, first)
    const bookings = new Array<number>(booked.has(node.id) ? length + daysAhead : 0).fill(0)
    const size = column?.headcount ?? typicalOf(values)
    return {
      ...node,
      values,
      size,
      isOfOtherMeasure: others.has(node.id),
      bookings: spread(booked.get(node.id), bookings),
    }
  })
  const named = listNames(nodes.filter(({ isOfOtherMeasure }) => isOfOtherMeasure).map(({ name }) => name))
  if (named !== '') warnings.push(otherMeasureWarning(named, asked))
  const threshold = await readPrivacyThreshold(query, workspaceId)
  return { isTeam: scope.isTeam, ...range, threshold, pendingWeeks, warnings, historyWarnings: found.warnings, nodes }
}

/** Returns the spaces without a value of the measure of a run that have some of the other one. */
async function findOtherMeasured(
  query: Query,
  workspaceId: string,
  { measure }: AskedWorkplace,
  of: { ids: readonly string[]; columns: ReadonlyMap<string, DayColumn>; range: { first: string; last: string } },
): Promise<Set<string>> {
  const empty = of.ids.filter((id) => of.columns.get(id)?.values.some((value) => value > 0) !== true)
  const find = findColumns[measure === 'peak' ? 'attendance' : 'peak']
  const columns = await find(query, workspaceId, empty, of.range.first, of.range.last)
  return new Set(columns.flatMap(({ id, values }) => (values.some((value) => value > 0) ? [id] : [])))
}

const otherMeasureWarning = (names: string, { measure }: AskedWorkplace): string =>
  measure === 'peak'
    ? `Lists tell who came to ${names}, and not when: this forecast of the people present has none of them. Forecast the people of a day.`
    : `People counters or bookings tell how many are present in ${names}, and not who came: this forecast of the people of a day ` +
      'has none of them, and around them those with badges or on lists alone. Forecast the people present for all of these spaces.'

export const measureOf = ({ level, measure }: AskedWorkplace): HistoryMeasure =>
  level === 'team' ? 'teams' : measure === 'peak' ? 'peak' : 'attendance'

/** Reads the spaces or teams of a run, and the first and the last day of their history; undefined without any. */
export async function findHistory(db: Db, query: Query, workspaceId: string, asked: AskedWorkplace, today: string) {
  const scope = await readScope(query, workspaceId, asked)
  const datasets = await findAllDatasets(db, workspaceId)
  const { last, warnings, retired } = await readHistoryEnd(query, workspaceId, { scope, datasets, asked, today })
  const facts = await findFactRange(query, workspaceId)
  if (last === undefined || facts === null || facts.first > last || scope.nodes.length === 0) return undefined
  return { scope, datasets, first: facts.first, last, warnings, retired }
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
