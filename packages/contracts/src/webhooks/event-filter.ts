import { z } from 'zod'
import { boundedArray, boundedRecord } from '../core/shape/bounded.ts'
import { text } from '../core/shape/shape.ts'
import { FieldFilter } from '../data/search-filter.ts'

/** Limits of a filter, which bound the time that one event takes. */
const [maxConditions, maxAlternatives, maxFilterCharacters] = [20, 10, 8_192]
const maxPathLength = 200

const fieldPath = z
  .string()
  .max(maxPathLength)
  .regex(/^[\w-]+(\.[\w-]+){0,7}$/, 'must be a path of at most 8 field names, such as counts.failed')

const AnyCondition = z
  .union([z.strictObject({ contains: text(1_000).describe('The text of the field contains this text') }), FieldFilter])
  .describe('A condition as in `filters` of a search, or `{contains}` for a part of a text')

/** Reports a `contains` of another type as such; the union would take it for an unknown field of a range. */
const Condition = z.preprocess((condition, context) => {
  if (typeof condition === 'object' && condition !== null && 'contains' in condition)
    if (typeof condition.contains !== 'string')
      context.addIssue({ code: 'custom', path: ['contains'], message: 'must be a string' })
  return condition
}, AnyCondition) as unknown as typeof AnyCondition // passes everything else on unchanged

const Conditions = boundedRecord(fieldPath, Condition, maxConditions).refine(
  (conditions) => Object.keys(conditions).length > 0,
  'must have a condition',
)

/** Conditions on the payload of an event. */
export const EventFilter = z
  .strictObject({
    all: Conditions.optional().describe('Conditions by field of the payload; all must match'),
    any: boundedArray(Conditions, maxAlternatives, { min: 1 })
      .optional()
      .describe('Alternatives, of which one must match'),
  })
  .refine(({ all, any }) => all !== undefined || any !== undefined, 'must have `all` or `any`')
  .refine(
    ({ all = {}, any = [] }) => [all, ...any].flatMap(Object.keys).length <= maxConditions,
    `must have at most ${maxConditions} conditions in all`,
  )
  .refine(
    (filter) => JSON.stringify(filter).length <= maxFilterCharacters,
    `must have at most ${maxFilterCharacters} characters as JSON`,
  )
  .meta({
    id: 'WebhookFilter',
    description:
      'Only events whose payload matches are delivered. Fields are paths into the payload, such as `counts.failed`; `event` is the event kind',
    examples: [{ all: { 'counts.failed': { gt: 0 } }, any: [{ data_source_id: 'src_01h455vb4pex5vsknk084sn02q' }] }],
  })
export type EventFilter = z.output<typeof EventFilter>
/** Conditions by path; all must match. */
export type FilterConditions = NonNullable<EventFilter['all']>
export type FilterCondition = z.output<typeof Condition>
