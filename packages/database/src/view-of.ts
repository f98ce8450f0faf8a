import type { z } from 'zod'
import { fieldName } from './connection/field-names.ts'

/**
 * Makes the view of a row: each field of the shape is that of the row with the same name in camel case, `created_at` of
 * `createdAt`, and a time is RFC 3339 in UTC. What the row does not have, or has in another form, is `given`.
 */
export function viewOf<Shape extends z.ZodObject, Given extends Partial<z.input<Shape>> = Record<never, never>>(
  shape: Shape,
  row: RowOf<z.input<Shape>, Given>,
  given?: Given,
): z.input<Shape> {
  const fields = new Map<string, unknown>(Object.entries(row))
  const values = new Map<string, unknown>(Object.entries(given ?? {}))
  const view = Object.keys(shape.shape).flatMap((name) => {
    const value = values.has(name) ? values.get(name) : fields.get(fieldName(name))
    return value === undefined ? [] : [[name, value instanceof Date ? value.toISOString() : value]]
  })
  return Object.fromEntries(view) as z.input<Shape> // the types of `row` and `given` have all of its fields
}

/** The fields that a row must have for a view, but for those that are given. */
type RowOf<View, Given> = {
  [Name in keyof View as Name extends keyof Given ? never : FieldName<Name & string>]: Stored<View[Name]>
}

type FieldName<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<FieldName<Rest>>}`
  : Name

/** A text may be stored as a time. */
type Stored<Value> = string extends Value ? Value | Date : Value
