import type { PostgresColumn, TextRow } from '@wp/outbound'
import { crawlFailure } from '../crawl-failure.ts'
import { type ArrayType, needsTypeLookup, type ValueParser, valueParserFor } from './parse-value.ts'
import type { Session } from './session.ts'

/** A column of a query result. */
export interface Column {
  name: string
  type: number
  parse: ValueParser
}

/** The limit of PostgreSQL for a result (appendix K). */
const maxColumns = 1_664

/**
 * Returns the columns of a result with the parsers of their values. Looks up the element types of arrays on the server.
 * @throws JobFailure `config` if a record cannot hold all columns
 */
export async function resolveColumns(session: Session, fields: readonly PostgresColumn[]): Promise<Column[]> {
  if (fields.length > maxColumns)
    throw crawlFailure('config', `The query returns ${fields.length} columns; at most ${maxColumns} are possible`)
  const names = new Set<string>()
  for (const { name } of fields) {
    if (names.has(name)) throw crawlFailure('config', `The query names the column "${name}" twice`)
    names.add(name)
  }
  const types = [...new Set(fields.map(({ type }) => type))].filter(needsTypeLookup)
  const arrays = types.length === 0 ? new Map() : await loadArrayTypes(session, types)
  return fields.map(({ name, type }) => ({ name, type, parse: valueParserFor(type, arrays) }))
}

/** Converts a row to a record. */
export function toRecord(columns: readonly Column[], cells: TextRow): Record<string, unknown> {
  const record: Record<string, unknown> = {}
  for (const [index, { name, parse }] of columns.entries()) {
    const cell = cells[index] ?? null
    const value = cell === null ? null : parse(cell)
    if (name === '__proto__') defineMember(record, name, value)
    else record[name] = value
  }
  return record
}

/** Assigning to `__proto__` would set the prototype. */
const defineMember = (record: Record<string, unknown>, name: string, value: unknown) =>
  Object.defineProperty(record, name, { value, configurable: true, enumerable: true, writable: true })

/** Excludes int2vector and oidvector, which have another text format. */
const arrayTypesSql = `
  SELECT t.oid, coalesce(nullif(e.typbasetype, 0), e.oid), e.typdelim
    FROM pg_catalog.pg_type AS t JOIN pg_catalog.pg_type AS e ON e.oid = t.typelem
   WHERE t.oid = ANY ($1::oid[]) AND t.typlen = -1 AND t.typinput = 'pg_catalog.array_in'::regproc`

async function loadArrayTypes(session: Session, types: readonly number[]): Promise<Map<number, ArrayType>> {
  const { rows } = await session.query(arrayTypesSql, [types])
  return new Map(
    rows.map(([oid, element, delimiter]) => [
      Number(oid),
      { oid: Number(oid), element: Number(element), delimiter: delimiter ?? ',' },
    ]),
  )
}
