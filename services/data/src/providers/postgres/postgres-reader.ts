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
 * Reads the result of a query in one snapshot through a server-side cursor: the query runs as its rows are fetched, and
 * neither side holds the whole result. The cursor is declared in SQL (`DECLARE … CURSOR FOR`), unlike in `pg-cursor`,
 * which uses a portal of the protocol: the grammar of DECLARE accepts only a query, so no `COMMIT`, `SET` or `COPY`, no
 * second statement and no write; and each FETCH is a statement with its own timeout.
 *
 * With a cursor column the rows come in its order and each page carries its last value. The next incremental crawl starts
 * at that value, inclusive. Rows with null in the column come last, and only in a crawl from the beginning or one that
 * resumes it.
 */
export const postgresReader: SourceReader<PostgresConfig> = {
  provider: 'postgres',
  async *crawl(request) {
    const session = await openSession(parsePostgresSettings(request.integration), request)
    try {
      const { columns, isResumed, includesNulls } = await declareCursor(session, request)
      const { rowCount, lastValue } = yield* fetchPages(session, columns, request.config, includesNulls)
      const { query, cursor_field: field } = request.config
      if (includesNulls && lastValue !== undefined && field !== undefined)
        yield { rows: [], cursor: formatCrawlCursor(query, field, { value: lastValue, includesNulls: false }) }
      return isResumed && rowCount === 0 ? 'unchanged' : 'complete'
    } catch (error) {
      throw session.toFailure(error)
    } finally {
      await session.close()
    }
  },
}

interface DeclaredCursor {
  columns: Column[]
  /** True if it starts where an earlier crawl ended. */
  isResumed: boolean
  /** True if it includes rows with null in the cursor column. */
  includesNulls: boolean
}

async function declareCursor(
  session: Session,
  { config, mode, cursor }: CrawlRequest<PostgresConfig>,
): Promise<DeclaredCursor> {
  const { query, cursor_field: column, overlap_seconds: overlapSeconds } = config
  await session.query(declareCursorSql(query).text)
  // Fetches no rows and does not run the query, but returns the names and types of its columns.
  const { fields } = await session.query(`FETCH 0 FROM ${cursorName}`)
  const columns = await resolveColumns(session, fields)
  if (column === undefined) return { columns, isResumed: false, includesNulls: true }
  const timeType = timeTypeOf(columns, column, overlapSeconds)
  const position = mode === 'full' ? undefined : parseCrawlCursor(cursor, query, column)
  const { value, includesNulls } = position ?? { value: undefined, includesNulls: true }
  const range = { column, value, includesNulls, timeType, overlapSeconds }
  const { text, values } = declareOrderedCursorSql(query, range)
  await session.query(`CLOSE ${cursorName}`)
  await session.query(text, values)
  return { columns, isResumed: value !== undefined, includesNulls }
}

const timeTypes: Readonly<Record<number, string>> = { 1082: 'date', 1114: 'timestamp', 1184: 'timestamptz' }

/** Returns the type of the cursor column if it is a date or timestamp. @throws JobFailure if the column does not fit */
function timeTypeOf(columns: readonly Column[], column: string, overlapSeconds: number): string | undefined {
  const found = columns.find(({ name }) => name === column)
  if (found === undefined) throw crawlFailure('schema', `The query returns no column "${column}", the cursor_field`)
  const timeType = timeTypes[found.type]
  if (timeType === undefined && overlapSeconds > 0)
    throw crawlFailure('config', `overlap_seconds needs a date or timestamp as cursor_field; "${column}" is neither`)
  return timeType
}

const initialFetchRows = 100
const maxFetchRows = 1_000
/** Long rows are fetched in smaller numbers, to stay near this size. */
const targetPageCharacters = 1024 * 1024

/** Yields all rows. Returns their number and the last value of the cursor column. */
async function* fetchPages(
  session: Session,
  columns: readonly Column[],
  { query, cursor_field: field, key }: PostgresConfig,
  includesNulls: boolean,
): AsyncGenerator<Page, { rowCount: number; lastValue: string | undefined }> {
  const cursorColumn = columns.findIndex(({ name }) => name === field)
  let rowCount = 0
  let lastValue: string | undefined
  for (let count = initialFetchRows; ; ) {
    let [fetchedRows, fetchedCharacters] = [0, 0]
    for await (const { rows, characters } of fetchRows(session, count)) {
      lastValue = rows.findLast((cells) => isCursorValue(cells[cursorColumn]))?.[cursorColumn] ?? lastValue
      const cursor =
        lastValue === undefined || field === undefined
          ? undefined
          : formatCrawlCursor(query, field, { value: lastValue, includesNulls })
      const firstLine = rowCount + 1
      yield {
        rows: rows.map((cells, index) => toRow(columns, cells, firstLine + index, key)),
        ...(cursor && { cursor }),
      }
      rowCount += rows.length
      fetchedRows += rows.length
      fetchedCharacters += characters
    }
    if (fetchedRows < count) return { rowCount, lastValue }
    const fittingRows = Math.floor((targetPageCharacters * fetchedRows) / Math.max(1, fetchedCharacters))
    count = Math.max(1, Math.min(maxFetchRows, fittingRows, 4 * count))
  }
}

const isCursorValue = (value: string | null | undefined) => typeof value === 'string' && !isNonFinite(value)

/**
 * Converts the values of a row. A row beyond twice the limit is rejected here already and not kept in memory: bytea has
 * two digits per byte, so no row of that length could be stored.
 */
function toRow(columns: readonly Column[], cells: TextRow, line: number, keyField: string | undefined): Row {
  let length = 0
  for (const cell of cells) length += cell?.length ?? 0
  if (length <= 2 * maxRowBytes) return { line, value: toRecord(columns, cells) }
  const keyColumn = columns.findIndex(({ name }) => name === keyField)
  const [column, cell] = [columns[keyColumn], cells[keyColumn]]
  const key = column === undefined || typeof cell !== 'string' ? undefined : column.parse(cell)
  const isKey = typeof key === 'string' || typeof key === 'number' || typeof key === 'boolean'
  return { line, reason: rowTooLarge, ...(isKey && { key: String(key) }) }
}
