import { type dataInternal, type Operation, problem } from '@wp/contracts'
import type { Context } from '../context.ts'
import { declaredFieldsOf, jsonConverterFor } from '../schema/declared-fields.ts'
import { inferredTypeOf } from '../schema/source-schema.ts'
import { convertToType } from '../schema/value-kinds.ts'
import { inIndexOrder } from '../store/records/index-order.ts'
import { readFields } from '../store/records/read-fields.ts'
import { findSource } from '../store/sources/sources.ts'

const maxFields = 100

/** Reads a few fields of many records, converted to the types of the fields. Used by forecasts. */
export const readRows: Operation<typeof dataInternal.readRows, Context> = (
  { database },
  { workspaceId },
  { params: { data_source_id: id }, query },
) => {
  const fields = parseFieldNames(query.fields)
  return database.read({ workspaceId }, async (db, sql) => {
    const source = await findSource(db, workspaceId, id)
    const { rows, after } = await inIndexOrder(sql, () => readFields(sql, workspaceId, id, { ...query, fields }))
    const declared = declaredFieldsOf(source.config)
    const converters = fields.map((name) => {
      const [field, type] = [declared.get(name), inferredTypeOf(source.fields, name)]
      return field === undefined ? (cell: unknown) => convertToType(cell, type) : jsonConverterFor(field)
    })
    const converted = rows.map((cells) => cells.map((cell, column) => converters[column]?.(cell) ?? null))
    return { rows: converted, after, refused_rows: source.refusedRows }
  })
}

/** Parses field names separated by commas, each percent-encoded. @throws Problem `validation_failed` */
function parseFieldNames(list: string): string[] {
  const names = list.split(',')
  if (names.length > maxFields) throw invalidFields(`must name at most ${maxFields} fields`)
  try {
    return names.map(decodeURIComponent)
  } catch (cause) {
    throw invalidFields('must be percent-encoded', cause)
  }
}

const invalidFields = (detail: string, cause?: unknown) =>
  problem('validation_failed', { detail: `?fields: ${detail}`, errors: [{ pointer: '?fields', detail }], cause })
