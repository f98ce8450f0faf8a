import { type dataInternal, type InputOf, problem } from '@wp/contracts'
import type { Context, Operation } from '../context.ts'
import { assertReadable } from '../privacy/record-access.ts'
import { declaredFieldsOf, jsonConverterFor } from '../schema/declared-fields.ts'
import { inferredTypeOf } from '../schema/source-schema.ts'
import { convertToType } from '../schema/value-kinds.ts'
import { readFields } from '../store/records/read-fields.ts'
import { inIndexOrder } from '../store/records/record-keys.ts'
import { findSource, type Source } from '../store/sources/sources.ts'

const maxFields = 100

/** Reads a few fields of many records, converted to the types of the fields, for aggregates that name no record. */
export const readRows: Operation<'readRows'> = (context, { workspaceId }, input) =>
  readPage(context, workspaceId, input)

/** Does the same for a service that may show what it reads. @throws Problem `records_restricted` */
export const readUnrestrictedRows: Operation<'readUnrestrictedRows'> = (context, { workspaceId }, input) =>
  readPage(context, workspaceId, input, assertReadable)

function readPage(
  { database }: Context,
  workspaceId: string,
  { params: { data_source_id: id }, query }: InputOf<typeof dataInternal.readRows>,
  check: (source: Source) => void = () => {},
) {
  const fields = parseFieldNames(query.fields)
  return database.read({ workspaceId }, async (db, sql) => {
    const source = await findSource(db, workspaceId, id)
    check(source)
    const { rows, after } = await inIndexOrder(sql, () => readFields(sql, workspaceId, id, { ...query, fields }))
    const declared = declaredFieldsOf(source.config)
    const converters = fields.map((name) => {
      const [field, type] = [declared.get(name), inferredTypeOf(source.fields, name)]
      return field === undefined ? (cell: unknown) => convertToType(cell, type) : jsonConverterFor(field)
    })
    const converted = rows.map((cells) => cells.map((cell, column) => converters[column]?.(cell) ?? null))
    const isRestricted = source.recordAccess === 'aggregates'
    return {
      rows: converted,
      after,
      refused_rows: source.refusedRows,
      ...(isRestricted && { is_restricted: true as const }),
    }
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
