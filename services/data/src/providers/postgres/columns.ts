import type { FieldDef } from 'pg'
import { crawlFailure } from '../crawl-failure.ts'
import { type ArrayType, needsTypeLookup, type ValueParser, valueParserFor } from './parse-value.ts'
import type { Session, TextRow } from './session.ts'

/** A column of what a query gives. */
export interface Column {
  name: string
  type: number
  read: ValueParser
}

/**
 * The columns of a result and how their values are read; what arrays hold is asked of the server.
 * @throws JobFailure `config` when a row could not hold them all
 */
export async function resolveColumns(session: Session, fields: readonly FieldDef[]): Promise<Column[]> {
  const names = new Set<string>()
  for (const { name } of fields) {
    if (names.has(name)) throw crawlFailure('config', `The query names the column "${name}" twice`)
    if (name === '__proto__') throw crawlFailure('config', `The query names a column "${name}", which cannot be used`)
    names.add(name)
  }
  const types = [...new Set(fields.map(({ dataTypeID }) => dataTypeID))].filter(needsTypeLookup)
  const arrays = types.length === 0 ? new Map() : await loadArrayTypes(session, types)
  return fields.map(({ name, dataTypeID: type }) => ({ name, type, read: valueParserFor(type, arrays) }))
}

/** The record of a row. */
export function toRecord(columns: readonly Column[], cells: TextRow): Record<string, unknown> {
  const record: Record<string, unknown> = {}
  for (const [place, { name, read }] of columns.entries()) {
    const cell = cells[place] ?? null
    record[name] = cell === null ? null : read(cell)
  }
  return record
}

/** Vectors of old are written otherwise, and are no such arrays. */
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
