import type { SchemaChange } from '@wp/contracts'
import type { StoredFields, StoredTypeMismatches } from '../store/sources/observed-fields.ts'
import { declaredFieldsOf, type FieldDeclarations } from './declared-fields.ts'
import { typeOf } from './value-kinds.ts'

const maxChanges = 100

/**
 * Lists the differences between the fields before and after a sync or upload, and the fields with values that
 * contradict their declared type.
 */
export function detectSchemaChanges(
  before: StoredFields,
  after: StoredFields,
  config: FieldDeclarations,
  typeMismatches: StoredTypeMismatches,
): SchemaChange[] {
  const [oldTypes, newTypes] = [inferTypes(before), inferTypes(after)]
  const declared = declaredFieldsOf(config)
  const changes: SchemaChange[] = []
  for (const [field, { count, kinds }] of Object.entries(typeMismatches)) {
    const from = declared.get(field)?.type ?? null
    changes.push({ field, change: 'not_as_declared', from, to: typeOf(kinds), count })
  }
  for (const [field, to] of newTypes) {
    const from = oldTypes.get(field)
    // The first rows of a source define its schema; they do not change it.
    if (from === undefined && oldTypes.size > 0) changes.push({ field, change: 'added', from: null, to })
    if (from !== undefined && from !== to) changes.push({ field, change: 'type_changed', from, to })
  }
  for (const [field, from] of oldTypes)
    if (!newTypes.has(field)) changes.push({ field, change: 'removed', from, to: null })
  return changes.slice(0, maxChanges)
}

const inferTypes = (fields: StoredFields) => new Map(fields.map(([name, kinds]) => [name, typeOf(kinds)]))
