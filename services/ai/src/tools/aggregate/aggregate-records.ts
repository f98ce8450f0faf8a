import { data, dataInternal, id, nearestName, type Source } from '@wp/contracts'
import type { InternalCalls } from '@wp/service'
import { z } from 'zod'
import { requireSource } from '../data/allowed-sources.ts'
import { Filters } from '../data/filters.ts'
import { defineTool } from '../define-tool.ts'
import { fitItems } from '../limit-output.ts'
import { type ToolCall, ToolFailure } from '../tool.ts'
import { aggregateFunctions } from './accumulator.ts'
import { Aggregation, type Group, type Measure, maxGroups } from './aggregation.ts'
import { createLocalTimes, type LocalTimes, timeBuckets, weekdays } from './time-bucket.ts'

/** Limits of one call. With more rows the output says that it is incomplete. */
export const maxRows = 1_000_000
const [pageSize, maxShownGroups, defaultShownGroups, maxGroupsBytes, timeoutMs] = [10_000, 200, 50, 24_576, 60_000]

const fieldName = z.string().min(1).max(200)

const input = z.strictObject({
  data_source_id: id('src'),
  measures: z
    .array(z.strictObject({ function: z.enum(aggregateFunctions), field: fieldName.optional() }))
    .min(1)
    .max(5)
    .default([{ function: 'count' }])
    .describe(
      'What to compute. `count` without a field counts records; `distinct` counts each value once; all but `count` need a field',
    ),
  group_by: z.array(fieldName).max(2).default([]).describe('Up to two fields'),
  time_bucket: z
    .strictObject({ field: fieldName, by: z.enum(timeBuckets) })
    .optional()
    .describe(
      'Groups by the period of a time field, or by its day of the week or hour of the day; counts as one of the two fields',
    ),
  filters: Filters.default({}),
  recurring: z
    .strictObject({
      field: fieldName,
      weekdays: z.array(z.enum(weekdays)).min(1).max(7).optional(),
      from_hour: z.int().min(0).max(23).optional(),
      until_hour: z.int().min(1).max(24).optional().describe('The first hour that is left out'),
    })
    .optional()
    .describe('Only records whose time is on these days of the week, and between these hours of the day'),
  order: z
    .enum(['descending', 'ascending', 'key'])
    .default('descending')
    .describe('Order of the groups: by the first measure, or by their names (`key`)'),
  limit: z.int().min(1).max(maxShownGroups).default(defaultShownGroups).describe('Groups returned'),
})
type Input = z.output<typeof input>

export const aggregateRecords = (internal: InternalCalls) =>
  defineTool({
    name: 'aggregate_records',
    description:
      'Computes exact numbers over all records of one data source: count, sum, mean, median, min, max and distinct, by up to two fields or by periods of time, with filters. Use list_sources first to learn the fields.',
    input,
    requiredScopes: ['data:read'],
    timeoutMs,
    async run(query, call) {
      requireSource(call, query.data_source_id)
      const source = await internal.call(data.getSource, call.caller, {
        params: { data_source_id: query.data_source_id },
      })
      const aggregation = createAggregation(query, source)
      const { rows, isComplete } = await readRows(internal, call, query.data_source_id, aggregation)
      return { output: outputOf(query, aggregation, { rows, isComplete, source }) }
    },
  })

/** @throws ToolFailure if a field does not exist or is missing */
function createAggregation(
  { measures, group_by: fields, time_bucket: bucket, filters, recurring }: Input,
  source: z.input<typeof Source>,
): Aggregation {
  const groupBy = [...new Set([...fields, ...(bucket === undefined ? [] : [bucket.field])])]
  if (groupBy.length > 2) throw new ToolFailure('Group by two fields at most; the field of time_bucket is one of them')
  const unnamed = measures.find((measure) => measure.field === undefined && measure.function !== 'count')
  if (unnamed !== undefined) throw new ToolFailure(`The measure ${unnamed.function} needs a field`)
  const aggregation = new Aggregation({
    measures,
    groupBy,
    bucket,
    filters,
    recurring,
    localTimes: localTimesOf(source),
  })
  const known = source.schema.map(({ name }) => name)
  for (const field of aggregation.fields) if (!known.includes(field)) throw unknownField(field, known)
  return aggregation
}

/** Returns the conversions of the fields whose times were read in a time zone; see `DeclaredField`. */
function localTimesOf({ config }: z.input<typeof Source>): Map<string, LocalTimes> {
  // unbounded: the config is read, and had bounds when it was stored
  const zones = z.record(z.string(), z.object({ timezone: z.string().optional() })).safeParse(config?.fields)
  return new Map(
    Object.entries(zones.data ?? {}).flatMap(([name, { timezone }]) =>
      timezone === undefined ? [] : [[name, createLocalTimes(timezone)] as const],
    ),
  )
}

function unknownField(field: string, known: readonly string[]): ToolFailure {
  const nearest = nearestName(field, known)
  const hint = nearest === undefined ? '' : `; did you mean ${nearest}?`
  return new ToolFailure(`The data source has no field "${field}"${hint} Its fields: ${known.slice(0, 60).join(', ')}`)
}

/** Reads the rows of a source page by page, until all are read or the limit is reached. */
async function readRows(internal: InternalCalls, call: ToolCall, source: string, aggregation: Aggregation) {
  const fields = aggregation.fields.length === 0 ? anyField : aggregation.fields.map(encodeURIComponent).join(',')
  let rows = 0
  let after: string | null | undefined
  while (after !== null && rows < maxRows) {
    call.signal.throwIfAborted()
    const page = await internal.callForCaller(call.caller, 'data:read', dataInternal.readUnrestrictedRows, {
      params: { data_source_id: source },
      query: { fields, limit: Math.min(pageSize, maxRows - rows), ...(after === undefined ? {} : { after }) },
    })
    for (const row of page.rows)
      if (!aggregation.add(row))
        throw new ToolFailure(`There are more than ${maxGroups} groups: group by a field with fewer different values`)
    rows += page.rows.length
    after = page.after
  }
  return { rows, isComplete: after === null }
}

/** To count rows no value is needed, but a field must be named. A record without it has null there. */
const anyField = 'id'

function outputOf(
  { measures, group_by: fields, time_bucket: bucket, order, limit }: Input,
  aggregation: Aggregation,
  { rows, isComplete, source }: { rows: number; isComplete: boolean; source: z.input<typeof Source> },
) {
  const names = measures.map(measureName)
  const groupBy = [...new Set([...fields, ...(bucket === undefined ? [] : [bucket.field])])]
  const all = sortGroups(aggregation.groups(), order)
  const shown = fitItems(
    all.slice(0, limit).map(({ key, rows: count, values }) => ({
      ...Object.fromEntries(groupBy.map((field, position) => [field, key[position] ?? null])),
      ...Object.fromEntries(names.map((name, position) => [name, values[position] ?? null])),
      rows: count,
    })),
    maxGroupsBytes,
  )
  return {
    data_source_id: source.data_source_id,
    data_source: source.name,
    rows_read: rows,
    rows_matched: aggregation.matched,
    complete: isComplete,
    ...(isComplete ? {} : { note: `Only the oldest ${maxRows} records were read: the numbers are not those of all` }),
    ...(aggregation.ignored === 0 ? {} : { ignored_values: aggregation.ignored }),
    measures: names,
    group_by: groupBy,
    groups_total: all.length,
    groups: shown,
  }
}

const measureName = ({ function: name, field }: Measure): string => (field === undefined ? name : `${name}(${field})`)

function sortGroups(groups: readonly Group[], order: Input['order']): Group[] {
  const byKey = (a: Group, b: Group) => collator.compare(a.key.join('\0'), b.key.join('\0'))
  if (order === 'key') return groups.toSorted(byKey)
  const direction = order === 'descending' ? -1 : 1
  return groups.toSorted((a, b) => compareValues(a.values[0], b.values[0], direction) || byKey(a, b))
}

/** Groups without a value come last in either order. */
function compareValues(a: unknown, b: unknown, direction: number): number {
  if (a === b) return 0
  if (a === null || a === undefined) return 1
  if (b === null || b === undefined) return -1
  return (a < b ? -1 : 1) * direction
}

const collator = new Intl.Collator('en', { numeric: true })
