import type { SchemaChange } from '@wp/contracts'
import { converterFor, declaredFieldsOf, type FieldDeclarations, typeMismatch } from './declared-fields.ts'
import { type ObservedFields, observeRow, type StoredFields } from './observed-fields.ts'
import { type Kinds, kindOf, typeOf } from './value-kinds.ts'

/** How many values of a declared field are not as declared, and of which kinds. */
export type TypeMismatches = Map<string, TypeMismatch>
interface TypeMismatch {
  count: number
  kinds: Kinds
}

/** As they lie in the database. */
export type StoredTypeMismatches = Record<string, TypeMismatch>

/** What rows were seen to hold. */
export interface SchemaObserver {
  fields: ObservedFields
  typeMismatches: TypeMismatches
  /** Takes note of one row. */
  observe(row: Readonly<Record<string, unknown>>): void
}

/** Begins to take note of rows of a source. */
export function createSchemaObserver(config: FieldDeclarations): SchemaObserver {
  const [fields, misfits]: [ObservedFields, TypeMismatches] = [new Map(), new Map()]
  const readers = [...declaredFieldsOf(config)].map(([name, field]) => ({ name, read: converterFor(field) }))
  return {
    fields,
    typeMismatches: misfits,
    observe(row) {
      observeRow(fields, row)
      for (const { name, read } of readers)
        if (Object.hasOwn(row, name) && read(row[name]) === typeMismatch)
          addMismatch(misfits, name, { count: 1, kinds: kindOf(row[name]) })
    },
  }
}

function addMismatch(misfits: TypeMismatches, name: string, { count, kinds }: TypeMismatch): void {
  const known = misfits.get(name)
  misfits.set(name, { count: (known?.count ?? 0) + count, kinds: (known?.kinds ?? 0) | kinds })
}

/** Both together; the same object where nothing is new. */
export function mergeTypeMismatches(stored: StoredTypeMismatches, seen: TypeMismatches): StoredTypeMismatches {
  if (seen.size === 0) return stored
  const merged: TypeMismatches = new Map(Object.entries(stored))
  for (const [name, more] of seen) addMismatch(merged, name, more)
  return Object.fromEntries(merged)
}

const maxChanges = 100

/** What a sync found otherwise than it was before, and otherwise than it was declared. */
export function detectSchemaChanges(
  before: StoredFields,
  after: StoredFields,
  config: FieldDeclarations,
  misfits: StoredTypeMismatches,
): SchemaChange[] {
  const [was, is] = [inferTypes(before), inferTypes(after)]
  const declared = declaredFieldsOf(config)
  const changes: SchemaChange[] = []
  for (const [field, { count, kinds }] of Object.entries(misfits))
    changes.push({
      field,
      change: 'not_as_declared',
      from: declared.get(field)?.type ?? null,
      to: typeOf(kinds),
      count,
    })
  for (const [field, to] of is) {
    const from = was.get(field)
    // The first rows of all change nothing.
    if (from === undefined && was.size > 0) changes.push({ field, change: 'added', from: null, to })
    if (from !== undefined && from !== to) changes.push({ field, change: 'type_changed', from, to })
  }
  for (const [field, from] of was) if (!is.has(field)) changes.push({ field, change: 'removed', from, to: null })
  return changes.slice(0, maxChanges)
}

const inferTypes = (fields: StoredFields) => new Map(fields.map(([name, kinds]) => [name, typeOf(kinds)]))
