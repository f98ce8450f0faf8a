import { z } from 'zod'
import { boundedRecord } from '../core/shape/bounded.ts'
import { text } from '../core/shape/shape.ts'

/** Limits of the filters of a request. */
const [maxFilters, maxFilterValues] = [20, 100]
/** Maximum length of the name of a field. */
export const maxFieldNameLength = 200

const Scalar = z.union([text(1000, 0), z.number(), z.boolean()])
const Scalars = z.array(Scalar).min(1).max(maxFilterValues)
const Bound = z.union([text(1000), z.number()])

const AnyFieldFilter = z
  .union([
    Scalar,
    z.strictObject({ in: Scalars.describe('The field has one of these values') }),
    z.strictObject({
      not: z.union([Scalar, Scalars]).describe('The field has neither this value nor any of the list'),
    }),
    z.strictObject({
      exists: z
        .boolean()
        .describe('True: the field has a value that is neither null nor empty text; false: it has none'),
    }),
    z
      .strictObject({
        gt: Bound.optional().describe('Greater than this, or later'),
        gte: Bound.optional().describe('At least this'),
        lt: Bound.optional().describe('Less than this, or earlier'),
        lte: Bound.optional().describe('At most this; a day such as 2026-03-31 is included whole'),
      })
      .refine((bounds) => Object.keys(bounds).length > 0, 'must have a bound: gt, gte, lt or lte'),
  ])
  .meta({
    id: 'SearchFilter',
    description:
      'A value, `{in: […]}`, bounds `{gt, gte, lt, lte}` of the type of the field, `{not: …}` (neither the value nor any of a list), or `{exists}` (null and empty text do not exist)',
  })
export type FieldFilter = z.infer<typeof AnyFieldFilter>

interface Bounds {
  gt?: string | number | undefined
  gte?: string | number | undefined
  lt?: string | number | undefined
  lte?: string | number | undefined
}

/** Returns bounds in which a day as `lte` is included whole, as people mean it: `until 31 March` has that day. */
export function withWholeLastDay(bounds: Bounds): Bounds {
  const { lte, ...others } = bounds
  const end = dayAfter(lte)
  return end === undefined || others.lt !== undefined ? bounds : { ...others, lt: end }
}

/** Returns the day after a day in ISO 8601; undefined of anything else. */
function dayAfter(bound: string | number | undefined): string | undefined {
  if (typeof bound !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(bound)) return undefined
  const next = new Date(`${bound}T00:00:00Z`)
  if (Number.isNaN(next.getTime()) || !next.toISOString().startsWith(bound)) return undefined
  next.setUTCDate(next.getUTCDate() + 1)
  return next.toISOString().slice(0, 10)
}

/** Counts the values before the members of the union validate each of them. */
export const FieldFilter = z.preprocess((filter, context) => {
  if (typeof filter === 'object' && filter !== null)
    for (const name of ['in', 'not']) {
      const values: unknown = Reflect.get(filter, name)
      if (!Array.isArray(values) || values.length <= maxFilterValues) continue
      context.addIssue({ code: 'custom', path: [name], message: `must have at most ${maxFilterValues} elements` })
    }
  return filter
}, AnyFieldFilter) as unknown as typeof AnyFieldFilter // passes everything else on unchanged

/** Filters of records by field of the data. */
export const SearchFilters = boundedRecord(text(maxFieldNameLength), FieldFilter, maxFilters).describe(
  'Filters by field of the data; all must match',
)
