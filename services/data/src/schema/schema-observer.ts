import { addKinds, addMismatch, type Observations, type ObservedFields } from '../store/sources/observed-fields.ts'
import { converterFor, declaredFieldsOf, type FieldDeclarations, typeMismatch } from './declared-fields.ts'
import { kindOf } from './value-kinds.ts'

/** Collects the fields of rows, and the values that contradict the declared type of their field. */
export interface SchemaObserver extends Observations {
  observe(row: Readonly<Record<string, unknown>>): void
}

export function createSchemaObserver(config: FieldDeclarations): SchemaObserver {
  const observations: Observations = { fields: new Map(), typeMismatches: new Map() }
  const declared = [...declaredFieldsOf(config)].map(([name, field]) => ({ name, convert: converterFor(field) }))
  return {
    ...observations,
    observe(row) {
      observeRow(observations.fields, row)
      for (const { name, convert } of declared)
        if (Object.hasOwn(row, name) && convert(row[name]) === typeMismatch)
          addMismatch(observations.typeMismatches, name, { count: 1, kinds: kindOf(row[name]) })
    },
  }
}

/** Adds the fields of one row. */
export function observeRow(fields: ObservedFields, row: Readonly<Record<string, unknown>>): void {
  for (const name in row) if (Object.hasOwn(row, name)) addKinds(fields, name, kindOf(row[name]))
}
