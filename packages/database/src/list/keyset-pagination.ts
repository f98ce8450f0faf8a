import { type Page, Problem } from '@wp/contracts'

/** Sort key of the last row of a page. Lists are sorted from newest to oldest. */
export interface Cursor {
  createdAt: Date
  id: string
}

/** Encodes a cursor as opaque text. Keeps milliseconds, so the column must be `timestamptz(3)`. */
export const encodeCursor = ({ createdAt, id }: Cursor): string =>
  Buffer.from(JSON.stringify([createdAt.getTime(), id])).toString('base64url')

/** The last millisecond of year 9999. Rows are never older than 1970, so valid timestamps start at 0. */
const latestTimestamp = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/**
 * Decodes a cursor received from a client.
 *
 * @throws Problem `invalid_cursor`
 */
export function decodeCursor(text: string): Cursor {
  const [time, id] = parseCursor(text)
  if (
    typeof time !== 'number' ||
    !(time >= 0 && time <= latestTimestamp) ||
    typeof id !== 'string' ||
    id.includes('\0')
  )
    throw new Problem('invalid_cursor', { errors: [{ pointer: '?cursor', detail: 'is not a cursor of this list' }] })
  return { createdAt: new Date(time), id }
}

/** Returns the two values of a cursor; nothing if the text is none. */
export function parseCursor(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    return Array.isArray(value) && value.length === 2 ? value : []
  } catch {
    return []
  }
}

/**
 * Returns the Prisma condition for the rows after a cursor, for use with
 * `orderBy: [{ createdAt: 'desc' }, { id: 'desc' }]`. The redundant outer bound lets PostgreSQL start an index scan on
 * (…, created_at, id) at the cursor; with a bare OR it would scan from the newest row.
 *
 * @param idField the identifier field of the model; default `id`
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
 * Returns one page from rows fetched with a limit of `limit + 1`. An extra row means that there is a next page.
 *
 * @param toCursor returns the sort key of a row
 */
export function paginate<Row>(rows: readonly Row[], limit: number, toCursor: (row: Row) => Cursor): Page<Row> {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  const hasMore = rows.length > limit
  return { items, nextCursor: hasMore && last !== undefined ? encodeCursor(toCursor(last)) : null }
}

/** Returns one page as `paginate` does, of rows that are sorted by `createdAt` and an identifier. */
export const paginateBy = <Field extends string, Row extends { createdAt: Date } & Record<Field, string>>(
  rows: readonly Row[],
  limit: number,
  idField: Field,
): Page<Row> => paginate(rows, limit, (row) => ({ createdAt: row.createdAt, id: row[idField] }))

/** Returns a page with the view of each of its items. */
export const mapPage = <Item, View>({ items, nextCursor }: Page<Item>, viewOf: (item: Item) => View): Page<View> => ({
  items: items.map((item) => viewOf(item)),
  nextCursor,
})

/** Cursors contain a time, which the members of a catalogue do not have. */
const noTime = new Date(0)

/** Returns one page of a catalogue that is code, in its order. @throws Problem `invalid_cursor` */
export function paginateCatalogue<Item>(
  all: readonly Item[],
  { limit, cursor }: { limit: number; cursor?: string | undefined },
  idOf: (item: Item) => string,
): Page<Item> {
  const last = cursor === undefined ? undefined : decodeCursor(cursor).id
  const rest = all.slice(all.findIndex((item) => idOf(item) === last) + 1)
  return paginate(rest, limit, (item) => ({ createdAt: noTime, id: idOf(item) }))
}
