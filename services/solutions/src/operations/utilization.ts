import { invalidField, type solutions, weekdays } from '@wp/contracts'
import type { z } from 'zod'
import type { Operation } from '../context.ts'
import { type BookingSums, sumBookings } from '../store/booking-months.ts'
import { type Dataset, findAllDatasets } from '../store/datasets.ts'
import { findSpaceNodes } from '../store/spaces.ts'
import { readPrivacyThreshold } from '../store/workplace-settings.ts'
import { utilizationFile } from '../utilization/file.ts'
import { lengthWarnings } from '../utilization/length-warnings.ts'
import { rangeOf, readUtilization } from '../utilization/read-utilization.ts'
import { monthsAround } from '../workplace/local-days.ts'
import { buildTree } from '../workplace/tree.ts'
import { unreadWarnings } from '../workplace/unread-warnings.ts'

export const getUtilization: Operation<'getUtilization'> = ({ database }, caller, { query }) =>
  database.read(caller, async (db, sql) => {
    const { rows, meta } = await readUtilization(db, sql, caller.workspaceId, query)
    return { items: rows, nextCursor: null, meta }
  })

export const getUtilizationContent: Operation<'getUtilizationContent'> = async (
  { database },
  caller,
  { query: { format, locale, ...asked } },
) => {
  const { rows, names, meta } = await database.read(caller, (db, sql) =>
    readUtilization(db, sql, caller.workspaceId, asked),
  )
  return utilizationFile(rows, names, { format, locale, meta })
}

export const listNoShows: Operation<'listNoShows'> = ({ database }, caller, { query }) =>
  database.read(caller, async (db, sql) => {
    const { workspaceId } = caller
    const tree = buildTree(await findSpaceNodes(sql, workspaceId))
    const root = query.space_id
    if (root !== undefined && !tree.positions.has(root))
      throw invalidField('?space_id', 'is not a space of this workspace', 'unknown_reference')
    const ids = tree.nodes
      .filter(({ id, parentId }) => (root === undefined ? parentId === null : id === root || parentId === root))
      .map(({ id }) => id)
    const range = monthsAround(await rangeOf(sql, workspaceId, query, yearDays))
    const threshold = await readPrivacyThreshold(sql, workspaceId)
    const sums = await sumBookings(sql, workspaceId, ids, range, threshold)
    const datasets = await findAllDatasets(db, workspaceId)
    const unknown = unknownUseWarnings(sums, datasets)
    const lengths = await lengthWarnings(sql, workspaceId, tree, { datasets, spaceIds: ids })
    return {
      items: noShowRows(sums, ids),
      nextCursor: null,
      meta: { ...range, warnings: [...(await unreadWarnings(sql, workspaceId)), ...lengths, ...unknown] },
    }
  })

const yearDays = 365

type Row = z.input<typeof solutions.listNoShows.list>

/** Says why it is not known of bookings that are shown if they were used: what their datasets lack. */
export function unknownUseWarnings(
  sums: readonly Pick<BookingSums, 'unknown'>[],
  datasets: readonly Pick<Dataset, 'kind' | 'name' | 'mapping'>[],
): string[] {
  if (!sums.some(({ unknown }) => unknown > 0)) return []
  const sees = datasets.some(({ kind }) => kind === 'badge_events' || kind === 'attendance_days')
  const reasonOf = ({ checked_in: checkedIn, no_show: noShow, person }: Dataset['mapping']): string => {
    if (checkedIn !== undefined || noShow !== undefined)
      return 'has bookings whose state says neither, or is blank beside yes and no, beside few marks, not between the first and the last day with marks, or a no after it or of a room that is never marked'
    if (person === undefined) return 'has no column that says so, and names no one who could be seen by badge or list'
    if (!sees) return 'has no column that says so, and no badge events or attendance days tell who was there'
    return 'has no column that says so, and no badge reader or list covers the space, or these name people otherwise than the bookings do, such as by number and not by mail address'
  }
  const bookings = datasets.filter(({ kind }) => kind === 'bookings')
  const lacking = bookings.filter(({ mapping }) => mapping.checked_in === undefined && mapping.no_show === undefined)
  // Bookings are not counted by dataset: one that has such a column is named only where all have.
  const causes = lacking.length > 0 ? lacking : bookings
  const cause = causes.length > 1 ? '. The cause is one or more of these:' : ':'
  const reasons = causes.map(({ name, mapping }) => `the dataset "${name}" ${reasonOf(mapping)}`)
  return reasons.length === 0 ? [] : [`Of bookings it is not known if they were used${cause} ${reasons.join('; ')}.`]
}

/** Returns the rows of each space by weekday, in the order of `ids`. */
export function noShowRows(sums: readonly BookingSums[], ids: readonly string[]): Row[] {
  const bySpace = Map.groupBy(sums, ({ spaceId }) => spaceId)
  return ids.flatMap((id) => (bySpace.get(id) ?? []).map(rowOf))
}

function rowOf({ spaceId, weekday, months, monthsShown, ...sums }: BookingSums): Row {
  const place = { space_id: spaceId, weekday: weekdays[weekday - 1] ?? 'mon' }
  const shown = { months, months_shown: monthsShown, suppressed: monthsShown < months }
  const none = { booked: null, used: null, released: null, no_shows: null, share: null, hours_lost: null }
  if (monthsShown === 0) return { ...place, ...none, ...shown }
  const { booked, used, released, noShows, unknown, minutesLost } = sums
  if (unknown > 0 && unknown === booked) return { ...place, ...none, booked, released, ...shown }
  return {
    ...place,
    booked,
    used,
    released,
    no_shows: noShows,
    share: booked === unknown ? null : Math.round((noShows / (booked - unknown)) * 10_000) / 10_000,
    hours_lost: Math.round(minutesLost / 6) / 10,
    ...shown,
  }
}
