import type { Context } from '../context.ts'
import {
  type BookingMonth,
  findBookingDaysOf,
  findDueBookingMonths,
  replaceBookingMonth,
} from '../store/booking-months.ts'
import type { Control } from '../store/client.ts'
import { hasStaleWeeks } from '../store/facts.ts'
import { findSpaceNodes } from '../store/spaces.ts'
import { readPrivacyThreshold } from '../store/workplace-settings.ts'
import { dayOf } from '../workplace/local-days.ts'
import { buildTree } from '../workplace/tree.ts'
import { type BookingCell, countBookingMonth } from './counting/count-booking-month.ts'

/**
 * Sums the bookings of the months whose weeks were counted again, or that had days ahead of them when they were summed.
 * A month with a week that became stale again is left to the job that counts that week.
 */
export async function recountBookingMonths(
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
