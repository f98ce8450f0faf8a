import type { PostgresConfig } from '@wp/contracts'
import { maxRowBytes, type Row, rowTooLarge } from '../../parsers/row.ts'
import { crawlFailure } from '../crawl-failure.ts'
import type { CrawlRequest, Page, SourceReader } from '../source-reader.ts'
import { type Column, resolveColumns, toRecord } from './columns.ts'
import { formatCrawlCursor, isNonFinite, parseCrawlCursor } from './crawl-cursor.ts'
import { cursorName, declareCursorSql, declareOrderedCursorSql } from './cursor-statement.ts'
import { fetchRows } from './fetch-rows.ts'
import { openSession, type Session, type TextRow } from './session.ts'
import { parsePostgresSettings } from './settings.ts'

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
    const session = await openSession(parsePostgresSettings(crawl.integration), crawl)
    try {
      const { columns, isFromPlace: isResumed, includesNulls } = await declareCursor(session, crawl)
      const { seen, last } = yield* fetchPages(session, columns, crawl.config, includesNulls)
      const { query, cursor_field: field } = crawl.config
      if (includesNulls && last !== undefined && field !== undefined)
        yield { rows: [], cursor: formatCrawlCursor(query, field, { value: last, isFirst: false }) }
      return isResumed && seen === 0 ? 'unchanged' : 'complete'
    } catch (error) {
      throw session.toFailure(error)
    } finally {
      await session.close()
    }
  },
}

interface DeclaredCursor {
  columns: Column[]
  /** Whether it begins where a crawl before it ended. */
  isFromPlace: boolean
  /** Whether rows without a value in the cursor column come as well. */
  includesNulls: boolean
}

/** Declares the cursor rows are fetched from. */
async function declareCursor(
  session: Session,
  { config, mode, cursor }: CrawlRequest<PostgresConfig>,
): Promise<DeclaredCursor> {
  const { query, cursor_field: column, overlap_seconds: overlapSeconds } = config
  await session.query(declareCursorSql(query).text)
  // Nothing is run yet, and of what it would give nothing is fetched but the names and types.
  const { fields } = await session.query(`FETCH 0 FROM ${cursorName}`)
  const columns = await resolveColumns(session, fields)
  if (column === undefined) return { columns, isFromPlace: false, includesNulls: true }
  const found = columns.find(({ name }) => name === column)
  if (found === undefined) throw crawlFailure('schema', `The query gives no column "${column}", the cursor_field`)
  const timeType = timeTypes[found.type]
  if (timeType === undefined && overlapSeconds > 0)
    throw crawlFailure(
      'config',
      `overlap_seconds needs a cursor_field that is a date or a timestamp; "${column}" is none`,
    )
  const place = mode === 'full' ? undefined : parseCrawlCursor(cursor, query, column)
  const { value, isFirst: withEmpty } = place ?? { value: undefined, isFirst: true }
  const { text, values } = declareOrderedCursorSql(query, {
    column,
    value,
    includeNulls: withEmpty,
    timeType,
    overlapSeconds,
  })
  await session.query(`CLOSE ${cursorName}`)
  await session.query(text, values)
  return { columns, isFromPlace: value !== undefined, includesNulls: withEmpty }
}

const timeTypes: Readonly<Record<number, string>> = { 1082: 'date', 1114: 'timestamp', 1184: 'timestamptz' }

const initialFetchRows = 100
const maxFetchRows = 1_000
/** What is aimed at; long rows are fetched a few at a time. */
const targetPageCharacters = 1024 * 1024

/** All rows; answers how many, and the last value in the cursor column. */
async function* fetchPages(
  session: Session,
  columns: readonly Column[],
  { query, cursor_field: field, key }: PostgresConfig,
  isFirst: boolean,
): AsyncGenerator<Page, { seen: number; last: string | undefined }> {
  const place = columns.findIndex(({ name }) => name === field)
  let seen = 0
  let last: string | undefined
  for (let count = initialFetchRows; ; ) {
    let [rowsOf, lengthOf] = [0, 0]
    for await (const { rows, characters } of fetchRows(session, count)) {
      last = rows.findLast((cells) => isCursorValue(cells[place]))?.[place] ?? last
      const cursor =
        last === undefined || field === undefined
          ? undefined
          : formatCrawlCursor(query, field, { value: last, isFirst })
      yield { rows: rows.map((cells, nth) => toRow(columns, cells, seen + nth + 1, key)), ...(cursor && { cursor }) }
      seen += rows.length
      rowsOf += rows.length
      lengthOf += characters
    }
    if (rowsOf < count) return { seen, last }
    const fitting = Math.floor((targetPageCharacters * rowsOf) / Math.max(1, lengthOf))
    count = Math.max(1, Math.min(maxFetchRows, fitting, 4 * count))
  }
}

const isCursorValue = (value: string | null | undefined) => typeof value === 'string' && !isNonFinite(value)

/** Bytes are written in two digits each; what is longer than that would be refused later, and is not held till then. */
function toRow(columns: readonly Column[], cells: TextRow, line: number, keyField: string | undefined): Row {
  let length = 0
  for (const cell of cells) length += cell?.length ?? 0
  if (length <= 2 * maxRowBytes) return { line, value: toRecord(columns, cells) }
  const place = columns.findIndex(({ name }) => name === keyField)
  const [column, cell] = [columns[place], cells[place]]
  const key = column && typeof cell === 'string' && toRecord([column], [cell])[column.name]
  const isKey = typeof key === 'string' || typeof key === 'number' || typeof key === 'boolean'
  return { line, reason: rowTooLarge, ...(isKey && key !== false && { key: String(key) }) }
}
