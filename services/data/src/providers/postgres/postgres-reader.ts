import type { PostgresConfig } from '@wp/contracts'
import { OutboundError, type RowChunk, type TextRow } from '@wp/outbound'
import { lackOf } from '../../intake/problems.ts'
import { type Row, rowTooLarge } from '../../parsers/row.ts'
import { protectRow } from '../../privacy/protect-row.ts'
import type { RowProtection } from '../../privacy/row-protection.ts'
import { crawlFailure } from '../crawl-failure.ts'
import type { CrawlRequest, Page, SourceReader } from '../source-reader.ts'
import { type Column, resolveColumns, toRecord } from './columns.ts'
import { formatCrawlCursor, isNonFinite, parseCrawlCursor } from './crawl-cursor.ts'
import { cursorName, declareCursorSql, declareOrderedCursorSql } from './cursor-statement.ts'
import { openSession, type Session } from './session.ts'
import { parsePostgresSettings } from './settings.ts'

/**
 * Reads the result of a query in one snapshot through a server-side cursor: the query runs as its rows are fetched, and
 * neither side holds the whole result. The cursor is declared in SQL (`DECLARE … CURSOR FOR`), unlike in `pg-cursor`,
 * which uses a portal of the protocol: the grammar of DECLARE accepts only a query, so no `COMMIT`, `SET` or `COPY`, no
 * second statement and no write; and each FETCH is a statement with its own timeout.
 *
 * With a cursor column the rows come in its order and each page carries its last value. The next incremental crawl
 * starts at that value, inclusive. Rows with null in the column come last, and only in a crawl from the beginning or
 * one that resumes it.
 */
export const postgresReader: SourceReader<PostgresConfig> = {
  provider: 'postgres',
  address({ integration }) {
    const { host, port } = parsePostgresSettings(integration)
    return `${host}:${port}`
  },
  async *crawl(request) {
    const session = await openSession(parsePostgresSettings(request.integration), request)
    try {
      const { columns, isResumed, includesNulls } = await declareCursor(session, request)
      const { rowCount, lastValue } = yield* fetchPages(session, columns, request, includesNulls)
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
  { config, mode, cursor, protection }: CrawlRequest<PostgresConfig>,
): Promise<DeclaredCursor> {
  const { query, key, cursor_field: column, overlap_seconds: overlapSeconds } = config
  await session.query(declareCursorSql(query).text)
  // Fetches no rows and does not run the query, but returns the names and types of its columns.
  const empty = await session.query(`FETCH 0 FROM ${cursorName}`)
  const columns = await resolveColumns(session, empty.columns)
  if (key !== undefined && !columns.some(({ name }) => name === key))
    throw crawlFailure('schema', `The query returns no column "${key}", the key field`)
  const lacking = protection?.findLacking(columns.map(({ name }) => name))
  if (lacking !== undefined) throw crawlFailure('schema', `The query result ${lackOf(lacking)}`)
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
  { config: { query, cursor_field: field, key }, protection }: CrawlRequest<PostgresConfig>,
  includesNulls: boolean,
): AsyncGenerator<Page, { rowCount: number; lastValue: string | undefined }> {
  const cursorColumn = columns.findIndex(({ name }) => name === field)
  let rowCount = 0
  let lastValue: string | undefined
  for (let count = initialFetchRows; ; ) {
    let [fetchedRows, fetchedCharacters] = [0, 0]
    for await (const chunk of session.fetch(`FETCH ${count} FROM ${cursorName}`, count)) {
      const { rows, characters } = chunk
      lastValue = rows.findLast((cells) => isCursorValue(cells[cursorColumn]))?.[cursorColumn] ?? lastValue
      const cursor =
        lastValue === undefined || field === undefined
          ? undefined
          : formatCrawlCursor(query, field, { value: lastValue, includesNulls })
      const firstLine = rowCount + 1
      yield {
        rows: toRows(columns, chunk, firstLine, { keyField: key, protection }),
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

interface RowOptions {
  keyField: string | undefined
  protection: RowProtection | undefined
}

/** Converts the rows of a chunk. One that is too long is rejected here already, and not kept in memory. */
function toRows(
  columns: readonly Column[],
  { rows, tooLong }: RowChunk,
  firstLine: number,
  { keyField, protection }: RowOptions,
): Row[] {
  const rejected = new Set(tooLong)
  return rows.map((cells, index) => {
    const line = firstLine + index
    assertComplete(columns, cells)
    if (rejected.has(index)) return toRejectedRow(columns, cells, line, { keyField, protection })
    const value = toRecord(columns, cells)
    if (protection === undefined) return { line, value }
    const ownKey = keyField === undefined ? undefined : protection.ownKeyOf(keyField, value[keyField])
    return { line, value: protectRow(value, protection), ...(ownKey !== undefined && { ownKey }) }
  })
}

/** @throws OutboundError if a server that imitates PostgreSQL sends another number of values */
function assertComplete(columns: readonly Column[], cells: TextRow): void {
  if (cells.length !== columns.length)
    throw new OutboundError('protocol', `The server sent ${cells.length} values for ${columns.length} columns`)
}

/** Keeps the key, so that the record of that key is kept. */
function toRejectedRow(
  columns: readonly Column[],
  cells: TextRow,
  line: number,
  { keyField, protection }: RowOptions,
): Row {
  const keyColumn = columns.findIndex(({ name }) => name === keyField)
  const [column, cell] = [columns[keyColumn], cells[keyColumn]]
  const parsed = column === undefined || typeof cell !== 'string' ? undefined : column.parse(cell)
  const isReplaced = column !== undefined && protection?.treatmentOf(column.name) === 'pseudonymize'
  const key = isReplaced ? (protection?.ownKeyOf(column.name, parsed) ?? protection?.pseudonymOf(parsed)) : parsed
  const isKey = typeof key === 'string' || typeof key === 'number' || typeof key === 'boolean'
  return { line, reason: rowTooLarge, ...(isKey && { key: String(key) }) }
}
