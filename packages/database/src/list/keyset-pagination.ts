import { type Page, Problem } from '@wp/contracts'

/** Where a page ended: the sort key of its last row. Lists run from the newest to the oldest. */
export interface Cursor {
  createdAt: Date
  id: string
}

/** The opaque text of a cursor. Times are kept to the millisecond, as the columns must keep them: `timestamptz(3)`. */
export const encodeCursor = ({ createdAt, id }: Cursor): string =>
  Buffer.from(JSON.stringify([createdAt.getTime(), id])).toString('base64url')

/** The last millisecond that is written with four digits of a year; no row of ours is older than 1970. */
const latestTimestamp = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/**
 * Reads a cursor that a client sent back.
 * @throws Problem `invalid_cursor`
 */
export function decodeCursor(text: string): Cursor {
  const [time, id] = parse(text)
  if (
    typeof time !== 'number' ||
    !(time >= 0 && time <= latestTimestamp) ||
    typeof id !== 'string' ||
    id.includes('\0')
  )
    throw new Problem('invalid_cursor', { errors: [{ pointer: '?cursor', detail: 'is not a cursor of this list' }] })
  return { createdAt: new Date(time), id }
}

function parse(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    return Array.isArray(value) && value.length === 2 ? value : []
  } catch {
    return []
  }
}

/**
 * The Prisma condition for the rows after a cursor, newest first; to be used with
 * `orderBy: [{ createdAt: 'desc' }, { id: 'desc' }]`. The outer bound lets an index on (…, created_at, id) be entered
 * at the right place, which a bare OR would not.
 *
 * @param idField the model's identifier, where it is not `id`
 */
export function afterCursor<Id extends string = 'id'>(cursor: string | undefined, idField?: Id): AfterCursor<Id> {
  if (cursor === undefined) return {}
  const { createdAt, id } = decodeCursor(cursor)
  // The computed key is exactly `Id`, which TypeScript widens to string.
  const byId = { [idField ?? 'id']: { lt: id } } as { [Key in Id]: { lt: string } }
  return { createdAt: { lte: createdAt }, OR: [{ createdAt: { lt: createdAt } }, byId] }
}

type AfterCursor<Id extends string> = {
  createdAt?: { lte: Date }
  OR?: ({ createdAt: { lt: Date } } | { [Key in Id]: { lt: string } })[]
}

/**
 * Cuts one page from rows that were fetched with `limit + 1`: the surplus row says that there is more.
 *
 * @param toCursor the sort key of a row
 */
export function paginate<Row>(rows: readonly Row[], limit: number, toCursor: (row: Row) => Cursor): Page<Row> {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  const hasMore = rows.length > limit
  return { items, nextCursor: hasMore && last !== undefined ? encodeCursor(toCursor(last)) : null }
}
