import { type dataInternal, type Operation, problem } from '@wp/contracts'
import type { Context } from '../context.ts'
import { declaredBy, typerOf } from '../schema/declared.ts'
import { typeOfField } from '../schema/fields.ts'
import { typed } from '../schema/kinds.ts'
import { inIndexOrder } from '../store/index-order.ts'
import { readFields } from '../store/rows.ts'
import { findSource } from '../store/sources.ts'

const maxFields = 100

/** What a forecast reads: a few fields of very many records. */
export const readRows: Operation<typeof dataInternal.readRows, Context> = (
  { database },
  { workspaceId },
  { params: { data_source_id: id }, query },
) => {
  const fields = fieldNames(query.fields)
  return database.read({ workspaceId }, async (db, sql) => {
    const source = await findSource(db, workspaceId, id)
    const { rows, after } = await inIndexOrder(sql, () => readFields(sql, workspaceId, id, { ...query, fields }))
    const declared = declaredBy(source.config)
    const readers = fields.map((name) => {
      const [field, type] = [declared.get(name), typeOfField(source.fields, name)]
      return field === undefined ? (cell: unknown) => typed(cell, type) : typerOf(field)
    })
    return { rows: rows.map((cells) => cells.map((cell, column) => readers[column]?.(cell) ?? null)), after }
  })
}

/** Separated by commas, each percent-encoded. */
function fieldNames(list: string): string[] {
  const names = list.split(',')
  if (names.length > maxFields) throw refused(`must name at most ${maxFields} fields`)
  try {
    return names.map(decodeURIComponent)
  } catch (cause) {
    throw refused('must be percent-encoded', cause)
  }
}

const refused = (detail: string, cause?: unknown) =>
  problem('validation_failed', { detail: `?fields: ${detail}`, errors: [{ pointer: '?fields', detail }], cause })
