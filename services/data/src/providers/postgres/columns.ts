import type { FieldDef } from 'pg'
import { failed } from '../failure.ts'
import type { Cells, Session } from './session.ts'
import { type ArrayType, isForeign, type ReadValue, readerOf } from './values.ts'

/** A column of what a query gives. */
export interface Column {
  name: string
  type: number
  read: ReadValue
}

/**
 * The columns of a result and how their values are read; what arrays hold is asked of the server.
 * @throws JobFailure `config` when a row could not hold them all
 */
export async function columnsOf(session: Session, fields: readonly FieldDef[]): Promise<Column[]> {
  const names = new Set<string>()
  for (const { name } of fields) {
    if (names.has(name)) throw failed('config', `The query names the column "${name}" twice`)
    if (name === '__proto__') throw failed('config', `The query names a column "${name}", which cannot be used`)
    names.add(name)
  }
  const types = [...new Set(fields.map(({ dataTypeID }) => dataTypeID))].filter(isForeign)
  const arrays = types.length === 0 ? new Map() : await arraysAmong(session, types)
  return fields.map(({ name, dataTypeID: type }) => ({ name, type, read: readerOf(type, arrays) }))
}

/** The record of a row. */
export function recordOf(columns: readonly Column[], cells: Cells): Record<string, unknown> {
  const record: Record<string, unknown> = {}
  for (const [place, { name, read }] of columns.entries()) {
    const cell = cells[place] ?? null
    record[name] = cell === null ? null : read(cell)
  }
  return record
}

/** Vectors of old are written otherwise, and are no such arrays. */
const lookup = `
  SELECT t.oid, coalesce(nullif(e.typbasetype, 0), e.oid), e.typdelim
    FROM pg_catalog.pg_type AS t JOIN pg_catalog.pg_type AS e ON e.oid = t.typelem
   WHERE t.oid = ANY ($1::oid[]) AND t.typlen = -1 AND t.typinput = 'pg_catalog.array_in'::regproc`

async function arraysAmong(session: Session, types: readonly number[]): Promise<Map<number, ArrayType>> {
  const { rows } = await session.ask(lookup, [types])
  return new Map(
    rows.map(([oid, element, delimiter]) => [
      Number(oid),
      { oid: Number(oid), element: Number(element), delimiter: delimiter ?? ',' },
    ]),
  )
}
