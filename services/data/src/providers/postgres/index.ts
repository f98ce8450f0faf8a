import type { PostgresConfig } from '@wp/contracts'
import { maxRowBytes, type Row, tooLong } from '../../rows/row.ts'
import { failed } from '../failure.ts'
import type { Crawl, Page, SourceReader } from '../provider.ts'
import { bookmark, isEndless, placeOf } from './bookmark.ts'
import { type Column, columnsOf, recordOf } from './columns.ts'
import { fetchRows } from './fetch.ts'
import { type Cells, openSession, type Session } from './session.ts'
import { settingsOf } from './settings.ts'
import { cursorName, inOrder, overAll } from './statement.ts'

/**
 * What a query gives, read in one snapshot through a cursor of the server: it runs as the rows are asked for, and never
 * all of them are held, neither there nor here. It is declared (`DECLARE … CURSOR FOR`) rather than a portal of the
 * protocol, as `pg-cursor` has it, because the grammar then takes nothing but a query: no `COMMIT`, `SET`, `COPY`, no
 * second statement and nothing that writes; and because each stretch is a statement with a time limit of its own.
 *
 * With a cursor column rows come in its order and each page notes its last value; the next incremental crawl begins with
 * that value, itself included. Rows without a value in it come last, in a crawl from the beginning only, or one that goes
 * on where that was cut off.
 */
export const postgresReader: SourceReader<PostgresConfig> = {
  provider: 'postgres',
  async *crawl(crawl) {
    const session = await openSession(settingsOf(crawl.connection), crawl)
    try {
      const { columns, isFromPlace, isFirst } = await declare(session, crawl)
      const { seen, last } = yield* pagesOf(session, columns, crawl.config, isFirst)
      const { query, cursor_field: field } = crawl.config
      if (isFirst && last !== undefined && field !== undefined)
        yield { rows: [], cursor: bookmark(query, field, { value: last, isFirst: false }) }
      return isFromPlace && seen === 0 ? 'unchanged' : 'complete'
    } catch (error) {
      throw session.explain(error)
    } finally {
      await session.close()
    }
  },
}

interface Declared {
  columns: Column[]
  /** Whether it begins where a crawl before it ended. */
  isFromPlace: boolean
  /** Whether rows without a value in the cursor column come as well. */
  isFirst: boolean
}

/** Declares the cursor rows are fetched from. */
async function declare(session: Session, { config, mode, cursor }: Crawl<PostgresConfig>): Promise<Declared> {
  const { query, cursor_field: column, overlap_seconds: overlapSeconds } = config
  await session.ask(overAll(query).text)
  // Nothing is run yet, and of what it would give nothing is fetched but the names and types.
  const { fields } = await session.ask(`FETCH 0 FROM ${cursorName}`)
  const columns = await columnsOf(session, fields)
  if (column === undefined) return { columns, isFromPlace: false, isFirst: true }
  const found = columns.find(({ name }) => name === column)
  if (found === undefined) throw failed('schema', `The query gives no column "${column}", the cursor_field`)
  const timeType = timeTypes[found.type]
  if (timeType === undefined && overlapSeconds > 0)
    throw failed('config', `overlap_seconds needs a cursor_field that is a date or a timestamp; "${column}" is none`)
  const place = mode === 'full' ? undefined : placeOf(cursor, query, column)
  const { value, isFirst: withEmpty } = place ?? { value: undefined, isFirst: true }
  const { text, values } = inOrder(query, { column, value, withEmpty, timeType, overlapSeconds })
  await session.ask(`CLOSE ${cursorName}`)
  await session.ask(text, values)
  return { columns, isFromPlace: value !== undefined, isFirst: withEmpty }
}

const timeTypes: Readonly<Record<number, string>> = { 1082: 'date', 1114: 'timestamp', 1184: 'timestamptz' }

const firstCount = 100
const maxCount = 1_000
/** What is aimed at; long rows are fetched a few at a time. */
const pageLength = 1024 * 1024

/** All rows; answers how many, and the last value in the cursor column. */
async function* pagesOf(
  session: Session,
  columns: readonly Column[],
  { query, cursor_field: field, key }: PostgresConfig,
  isFirst: boolean,
): AsyncGenerator<Page, { seen: number; last: string | undefined }> {
  const place = columns.findIndex(({ name }) => name === field)
  let seen = 0
  let last: string | undefined
  for (let count = firstCount; ; ) {
    let [rowsOf, lengthOf] = [0, 0]
    for await (const { rows, length } of fetchRows(session, count)) {
      last = rows.findLast((cells) => isPlace(cells[place]))?.[place] ?? last
      const cursor =
        last === undefined || field === undefined ? undefined : bookmark(query, field, { value: last, isFirst })
      yield { rows: rows.map((cells, nth) => rowOf(columns, cells, seen + nth + 1, key)), ...(cursor && { cursor }) }
      seen += rows.length
      rowsOf += rows.length
      lengthOf += length
    }
    if (rowsOf < count) return { seen, last }
    const fitting = Math.floor((pageLength * rowsOf) / Math.max(1, lengthOf))
    count = Math.max(1, Math.min(maxCount, fitting, 4 * count))
  }
}

const isPlace = (value: string | null | undefined) => typeof value === 'string' && !isEndless(value)

/** Bytes are written in two digits each; what is longer than that would be refused later, and is not held till then. */
function rowOf(columns: readonly Column[], cells: Cells, line: number, keyField: string | undefined): Row {
  let length = 0
  for (const cell of cells) length += cell?.length ?? 0
  if (length <= 2 * maxRowBytes) return { line, value: recordOf(columns, cells) }
  const place = columns.findIndex(({ name }) => name === keyField)
  const [column, cell] = [columns[place], cells[place]]
  const key = column && typeof cell === 'string' && recordOf([column], [cell])[column.name]
  const isKey = typeof key === 'string' || typeof key === 'number' || typeof key === 'boolean'
  return { line, reason: tooLong, ...(isKey && key !== false && { key: String(key) }) }
}
