import { z } from 'zod'

const [maxFilters, maxValues, maxTextLength, maxNameLength] = [20, 100, 1_000, 200]

const Scalar = z.union([z.string().max(maxTextLength), z.number(), z.boolean()])
const Bound = z.union([z.string().min(1).max(maxTextLength), z.number()])

/** Conditions of one field. */
const Conditions = z.strictObject({
  in: z.array(Scalar).min(1).max(maxValues).optional(),
  not: z.union([Scalar, z.array(Scalar).min(1).max(maxValues)]).optional(),
  exists: z.boolean().optional(),
  gt: Bound.optional(),
  gte: Bound.optional(),
  lt: Bound.optional(),
  lte: Bound.optional(),
})
export type Conditions = z.output<typeof Conditions>

/** Filters of records by field, as those of a search, in a form that models can fill in. */
// unbounded: the input of a tool call has a limit of bytes
export const Filters = z
  .record(z.string().min(1).max(maxNameLength), z.union([Scalar, Conditions]))
  .refine((filters) => Object.keys(filters).length <= maxFilters, `must have at most ${maxFilters} members`)
  .describe(
    'Conditions by field name; all must match. A condition is a value, or an object such as {"in": ["a", "b"]}, {"gte": 10, "lt": 20}, {"not": "a"} or {"exists": true}. Times are ISO 8601; a day is its beginning, and as `lte` included whole, so a year is {"gte": "2026-01-01", "lte": "2026-12-31"}',
  )
export type Filters = z.output<typeof Filters>
