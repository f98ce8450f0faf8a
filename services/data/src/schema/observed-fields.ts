import type { DeclarableType, FieldType } from '@wp/contracts'
import { declaredFieldsOf, type FieldDeclarations } from './declared-fields.ts'
import { type Kinds, kindOf, typeOf } from './value-kinds.ts'

/** The fields of a source and what they were seen to hold, in the order they were first seen. */
export type ObservedFields = Map<string, Kinds>

/** As they lie in the database. */
export type StoredFields = [name: string, kinds: Kinds][]

/** More are not kept track of: a source with more is not a table. */
const maxFields = 500
const maxNameLength = 200

/** Takes note of one row. */
export function observeRow(fields: ObservedFields, row: Readonly<Record<string, unknown>>): void {
  for (const name in row) if (Object.hasOwn(row, name)) addKinds(fields, name, kindOf(row[name]))
}

function addKinds(fields: ObservedFields, name: string, kinds: Kinds): void {
  const known = fields.get(name)
  if (known === undefined) {
    if (fields.size < maxFields && name.length <= maxNameLength) fields.set(name, kinds)
  } else if ((known | kinds) !== known) fields.set(name, known | kinds)
}

/** What is stored together with what was seen since; the same array when nothing is new. */
export function mergeFields(stored: StoredFields, seen: ObservedFields): StoredFields {
  const merged = new Map(stored)
  for (const [name, kinds] of seen) addKinds(merged, name, kinds)
  const isSame = merged.size === stored.length && stored.every(([name, kinds]) => merged.get(name) === kinds)
  return isSame ? stored : [...merged]
}

/** What is known of a field. */
export interface SchemaField {
  name: string
  /** As declared, else as inferred. */
  type: FieldType
  declared?: DeclarableType
  /** Beside what is declared; null for a field that no record has. */
  inferred?: FieldType | null
}

/** The schema as the contract shows it: what was seen, then what is only declared. */
export function toSchemaFields(stored: StoredFields, config: FieldDeclarations): SchemaField[] {
  const declared = declaredFieldsOf(config)
  const seen = new Map(stored.map(([name, kinds]) => [name, typeOf(kinds)]))
  return [...new Set([...seen.keys(), ...declared.keys()])].map((name) => {
    const [said, inferred] = [declared.get(name)?.type, seen.get(name)]
    return said === undefined
      ? { name, type: inferred ?? 'null' }
      : { name, type: said, declared: said, inferred: inferred ?? null }
  })
}

/** The type of one field by what was seen; nothing for a field that is not known. */
export function inferredTypeOf(stored: StoredFields, name: string): FieldType | undefined {
  const field = stored.find(([known]) => known === name)
  return field && typeOf(field[1])
}
