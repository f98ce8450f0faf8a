import type { DeclarableType, FieldType } from '@wp/contracts'
import type { StoredFields } from '../store/sources/observed-fields.ts'
import { declaredFieldsOf, type FieldDeclarations } from './declared-fields.ts'
import { typeOf } from './value-kinds.ts'

/** A field in the schema of a source. */
export interface SchemaField {
  name: string
  /** The declared type, else the inferred one. */
  type: FieldType
  declared?: DeclarableType
  /** Present with `declared`; null for a field that no record has. */
  inferred?: FieldType | null
}

/** Returns the schema of a source as in the contract: observed fields first, then fields that are only declared. */
export function toSchemaFields(stored: StoredFields, config: FieldDeclarations): SchemaField[] {
  const declaredFields = declaredFieldsOf(config)
  const inferredTypes = new Map(stored.map(([name, kinds]) => [name, typeOf(kinds)]))
  return [...new Set([...inferredTypes.keys(), ...declaredFields.keys()])].map((name) => {
    const [declared, inferred] = [declaredFields.get(name)?.type, inferredTypes.get(name)]
    return declared === undefined
      ? { name, type: inferred ?? 'null' }
      : { name, type: declared, declared, inferred: inferred ?? null }
  })
}

/** Returns the type inferred for a field, undefined for a field that was not observed. */
export function inferredTypeOf(stored: StoredFields, name: string): FieldType | undefined {
  const field = stored.find(([fieldName]) => fieldName === name)
  return field && typeOf(field[1])
}
