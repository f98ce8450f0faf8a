import type { Context } from '../context.ts'
import { median } from '../forecast/statistics.ts'
import { findHolidays as findHolidaysOf } from '../runs/workplace/holidays.ts'
import type { Control } from '../store/client.ts'
import { readReaderRows, replaceReaderGaps } from '../store/reader-gaps.ts'
import { dateOf, dayOf, daysAfterMonday } from '../workplace/local-days.ts'
import type { WeekContext } from './counting/measures.ts'
import { loadWeekContext } from './week-context.ts'

/** Days without rows of a reader that usually has some, from a day since 1970 to the one before another. */
export interface ReaderGap {
  valueId: number
  since: number
  until: number
  expectedRows: number
}

/** A reader with fewer rows on a usual day may well have none on another. */
const leastExpectedRows = 10
/** With a smaller share of the usual rows of the other readers, the site is closed on the day, or its system down. */
const leastActiveShare = 0.5
/** Silent on one weekday for so many weeks, a reader is not used on it any more: a fault takes all days. */
const leastClosedWeeks = 3

/** The days on which rows can be expected, since 1970, both ends included. */
interface ExpectedDays {
  first: number
  last: number
  isHoliday: (day: number) => boolean
}

/**
 * Finds the days on which a reader of a site was silent while the other ones were not, and those on which all were, but
 * for public holidays. Usual is the median of the same weekday over the days on which the others were active.
 */
export function gapsOf(
  rows: readonly { valueId: number; day: number; rows: number; hasFailed: boolean }[],
  { first, last, isHoliday }: ExpectedDays,
): ReaderGap[] {
  const totals = new Map<number, number>()
  for (let day = first; day <= last; day++) totals.set(day, 0)
  for (const { day, rows: count } of rows) totals.set(day, (totals.get(day) ?? 0) + count)
  const days = [...totals.keys()].sort((a, b) => a - b)
  return [...Map.groupBy(rows, ({ valueId }) => valueId)].flatMap(([valueId, own]) => {
    const ownRows = new Map(own.map((row) => [row.day, row.rows]))
    const others = days.map((day) => ({ day, rows: (totals.get(day) ?? 0) - (ownRows.get(day) ?? 0) }))
    const usualOthers = medianByWeekday(others)
    const activeDays = others
      .filter(
        ({ day, rows: count }) => count > 0 && count >= leastActiveShare * (usualOthers.get(daysAfterMonday(day)) ?? 0),
      )
      .map(({ day }) => day)
    const working = new Map(
      own.filter(({ rows: count, hasFailed }) => count > 0 && !hasFailed).map((row) => [row.day, row.rows]),
    )
    // Without other readers, the days of its own rows are all there is.
    const usual = medianByWeekday(
      (activeDays.length > 0 ? activeDays : [...working.keys()]).map((day) => ({ day, rows: working.get(day) ?? 0 })),
    )
    const active = new Set(activeDays)
    const expected = days.filter((day) => active.has(day) || (totals.get(day) === 0 && !isHoliday(day)))
    const closed = closedDays(expected, (day) => working.has(day))
    return mergeDays(
      valueId,
      expected.filter((day) => !closed.has(day)),
      (day) => working.has(day),
      (day) => usual.get(daysAfterMonday(day)) ?? 0,
    )
  })
}

function rootOf(parents: Int32Array, space: number): number {
  let at = space
  while ((parents[at] ?? -1) >= 0) at = parents[at] ?? -1
  return at
}

function medianByWeekday(days: readonly { day: number; rows: number }[]): Map<number, number> {
  return new Map(
    [...Map.groupBy(days, ({ day }) => daysAfterMonday(day))].map(([name, own]) => [
      name,
      Math.round(median(own.map(({ rows }) => rows))),
    ]),
  )
}

/** Returns the days of weekdays on which a reader had no rows for weeks, and some on days between. */
function closedDays(expected: readonly number[], isWorking: (day: number) => boolean): Set<number> {
  const closed = new Set<number>()
  const isUsedBetween = (from: number, to: number) =>
    Array.from({ length: to - from - 1 }, (_, at) => from + 1 + at).some(isWorking)
  for (const days of Map.groupBy(expected, daysAfterMonday).values()) {
    let silent: number[] = []
    for (const day of days) {
      silent = isWorking(day) ? [] : isUsedBetween(silent.at(-1) ?? day - 1, day) ? [...silent, day] : [day]
      if (silent.length >= leastClosedWeeks) for (const one of silent) closed.add(one)
    }
  }
  return closed
}

/** Joins the silent days of a reader between which it had no rows either. */
function mergeDays(
  valueId: number,
  days: readonly number[],
  isWorking: (day: number) => boolean,
  usualRows: (day: number) => number,
): ReaderGap[] {
  const gaps: ReaderGap[] = []
  let open: ReaderGap | undefined
  for (const day of days) {
    if (isWorking(day)) {
      open = undefined
      continue
    }
    if (usualRows(day) < leastExpectedRows) continue
    if (open === undefined) {
      open = { valueId, since: day, until: day + 1, expectedRows: 0 }
      gaps.push(open)
    }
    open.until = day + 1
    open.expectedRows += usualRows(day)
  }
  return gaps
}

/** Finds the gaps of all readers of a workspace from the stored rows by day. Each site has its own holidays. */
export async function findGaps(
  { read }: Pick<Context['database'], 'read'>,
  control: Control,
  workspaceId: string,
): Promise<void> {
  const { rows, context } = await read({ workspaceId }, async (db, query) => ({
    rows: await readReaderRows(query, workspaceId),
    context: await loadWeekContext(db, query, workspaceId),
  }))
  const gaps: (ReaderGap & { datasetId: string })[] = []
  for (const [datasetId, ofDataset] of Map.groupBy(rows, ({ datasetId }) => datasetId)) {
    const spaceOf = context.datasets.find(({ dataset }) => dataset.id === datasetId)?.spaceOf
    const siteOf = (valueId: number) => rootOf(context.spaces.parents, spaceOf?.get(valueId) ?? -1)
    const [first, last] = rangeOf(ofDataset)
    for (const [site, own] of Map.groupBy(ofDataset, ({ valueId }) => siteOf(valueId))) {
      const isHoliday = await findHolidays(context, site, { first, last })
      for (const gap of gapsOf(own, { first, last, isHoliday })) gaps.push({ datasetId, ...gap })
    }
  }
  await control.checkpoint(async (tx) => {
    await replaceReaderGaps(tx.query, workspaceId, gaps)
    return {}
  })
}

function rangeOf(rows: readonly { day: number }[]): [first: number, last: number] {
  let [first, last] = [Infinity, -Infinity]
  for (const { day } of rows) [first, last] = [Math.min(first, day), Math.max(last, day)]
  return [first, last]
}

/** Returns the test for public holidays at a site. Of a country without known ones, no day is a holiday. */
async function findHolidays(
  { spaces }: WeekContext,
  site: number,
  { first, last }: { first: number; last: number },
): Promise<(day: number) => boolean> {
  const node = spaces.nodes[site]
  if (node === undefined) return () => false
  const place = [{ id: node.id, parentId: null, place: [node] }]
  const { of } = await findHolidaysOf(place, {}, { first: dateOf(first), last: dateOf(last) })
  const days = new Set((of.get(node.id) ?? []).map(({ date }) => dayOf(date)))
  return (day) => days.has(day)
}
