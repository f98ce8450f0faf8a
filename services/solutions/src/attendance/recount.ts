import type { Query } from '@wp/database'
import type { Job } from '@wp/jobs'
import type { Context } from '../context.ts'
import {
  type BookingMonth,
  findBookingDaysOf,
  findDueBookingMonths,
  markBookingMonths,
  replaceBookingMonth,
} from '../store/booking-months.ts'
import type { Control } from '../store/client.ts'
import {
  clearStaleWeek,
  deleteSegments,
  findFactRange,
  findSegments,
  findStaleWeek,
  hasStaleWeeks,
  insertSegments,
  lockStaleWeeks,
} from '../store/facts.ts'
import { replaceWeek } from '../store/figures.ts'
import { findSpaceNodes } from '../store/spaces.ts'
import { readPrivacyThreshold } from '../store/workplace-settings.ts'
import { createThreadPool, type ThreadPool } from '../worker-thread.ts'
import { dateOf, dayOf } from '../workplace/local-days.ts'
import { buildTree } from '../workplace/tree.ts'
import { countUnmapped } from '../workplace/unread-warnings.ts'
import type { countStaleWeek, PackedDay, WeekInput } from './count-stale-week.ts'
import { type BookingCell, countBookingMonth } from './counting/count-booking-month.ts'
import { findGaps } from './reader-gaps.ts'
import { loadWeekContext } from './week-context.ts'

/** The day under which the facts of people are stored, who belong to no day. */
export const peopleDay = '1970-01-01'

/**
 * Counts the stale weeks of a workspace, one in a transaction, and packs the facts of their days; then sums the
 * bookings of their months. A week that changes while it is counted stays stale.
 */
export async function recountWorkspace(
  { database }: Pick<Context, 'database'>,
  threads: CountThreads,
  { workspaceId }: Job,
  control: Control,
): Promise<void> {
  // A week that changes again and again comes after the others.
  for (let after: string | undefined = ''; after !== undefined; ) {
    control.signal.throwIfAborted()
    const read = await readStaleWeek(database, workspaceId, after === '' ? beforeAll : after)
    if (read === undefined) {
      after = after === '' ? undefined : ''
      continue
    }
    const { stale, ...input } = read
    const { rows, packed } = await threads.run({ ...input, week: stale.week }, control.signal)
    await control.checkpoint(async ({ query }) => {
      await replaceWeek(query, workspaceId, stale.week, rows)
      await packDays(query, workspaceId, packed)
      await clearStaleWeek(query, workspaceId, stale)
      await markBookingMonths(query, workspaceId, stale.week)
      return {}
    })
    after = stale.week
  }
  await recountBookingMonths(database, control, workspaceId)
  await findGaps(database, control, workspaceId)
  // What changes from here on leaves a week stale, so that it is counted again.
  await control.checkpoint(async ({ query }) => {
    await countUnmapped(query, workspaceId)
    return {}
  })
  await finishUnlessStale(control, workspaceId)
}

const beforeAll = '-infinity'

async function readStaleWeek({ read }: Context['database'], workspaceId: string, after: string) {
  return read({ workspaceId }, async (db, query) => {
    // First the mark: what changes later leaves the week stale.
    const stale = await findStaleWeek(query, workspaceId, after)
    if (stale === undefined) return undefined
    const range = await findFactRange(query, workspaceId)
    const days = weekDays(stale.week).filter((day) => range !== null && day >= range.first && day <= range.last)
    return {
      stale,
      days,
      rule: { threshold: await readPrivacyThreshold(query, workspaceId) },
      context: await loadWeekContext(db, query, workspaceId),
      // People stay over the midnights at both ends of the week.
      segments: await findSegments(query, workspaceId, [peopleDay, ...daysAround(weekDays(stale.week))]),
    }
  })
}

/** Thrown where the end of a job finds another stale week. */
class StillStale extends Error {
  override readonly name = 'StillStale'
}

/** A week that is marked while this job runs starts no other one, so its end and the marks exclude each other. */
async function finishUnlessStale(control: Control, workspaceId: string): Promise<void> {
  try {
    await control.finish(async ({ query }) => {
      await lockStaleWeeks(query, workspaceId)
      if ((await findStaleWeek(query, workspaceId, beforeAll)) !== undefined) throw new StillStale()
    })
  } catch (error) {
    if (!(error instanceof StillStale)) throw error
    await control.requeue()
  }
}

/** Returns some days with the one before and after each, on which people stay over midnight. */
export const daysAround = (days: readonly string[]): string[] => [
  ...new Set(days.flatMap((day) => [-1, 0, 1].map((after) => dateOf(dayOf(day) + after)))),
]

const weekDays = (monday: string): string[] => Array.from({ length: 7 }, (_, at) => dateOf(dayOf(monday) + at))

/** Replaces the segments of a dataset and day by one. */
async function packDays(query: Query, workspaceId: string, packed: readonly PackedDay[]): Promise<void> {
  for (const { datasetId, day, segmentIds, facts } of packed) {
    await deleteSegments(query, workspaceId, segmentIds)
    if (facts !== null) await insertSegments(query, workspaceId, datasetId, [{ day, facts }])
  }
}

/** Threads that count weeks, so that requests of other workspaces do not wait for a count. */
export type CountThreads = ThreadPool<WeekInput, ReturnType<typeof countStaleWeek>>
/** A week of 3 million badge events, 50,000 people and 2,000 spaces uses about half of this memory. */
const maxHeapMib = 768

export const createCountThreads = (): CountThreads =>
  createThreadPool(new URL('./count-worker.ts', import.meta.url), { maxHeapMib })

/**
 * Sums the bookings of the months whose weeks were counted again, or that had days ahead of them when they were summed.
 * A month with a week that became stale again is left to the job that counts that week.
 */
async function recountBookingMonths(
  { read }: Pick<Context['database'], 'read'>,
  control: Control,
  workspaceId: string,
): Promise<void> {
  const months = await read({ workspaceId }, (_db, query) => findDueBookingMonths(query, workspaceId))
  for (const month of months) {
    control.signal.throwIfAborted()
    const cells = await readMonth(read, workspaceId, month)
    if (cells === undefined) continue
    await control.checkpoint(async ({ query }) => {
      await replaceBookingMonth(query, workspaceId, month, cells)
      return {}
    })
  }
}

async function readMonth(
  read: Context['database']['read'],
  workspaceId: string,
  month: BookingMonth,
): Promise<(BookingCell & { spaceId: string })[] | undefined> {
  return read({ workspaceId }, async (_db, query) => {
    const tree = buildTree(await findSpaceNodes(query, workspaceId))
    const days = await findBookingDaysOf(query, workspaceId, month)
    // After the spaces and days: where one of them changed, its weeks are marked.
    if (await hasStaleWeeks(query, workspaceId, { since: month.month, until: month.until })) return undefined
    const threshold = await readPrivacyThreshold(query, workspaceId)
    const known = days.flatMap(({ spaceId, day, ...figures }) => {
      const position = tree.positions.get(spaceId)
      return position === undefined ? [] : [{ ...figures, position, day: dayOf(day) }]
    })
    return countBookingMonth(tree.parents, known, { isOver: month.isOver, threshold }).map((cell) => ({
      ...cell,
      spaceId: tree.nodes[cell.position]?.id ?? '',
    }))
  })
}
