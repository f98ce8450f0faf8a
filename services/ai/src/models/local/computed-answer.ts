import { describeRecord } from './extract-answer.ts'
import { phrases } from './language/phrases.ts'
import type { Question } from './language/question.ts'
import type { Plan } from './plan-computation.ts'
import { arrayIn, type KnownRecord, memberOf } from './tool-results.ts'

const [maxListedGroups, maxListedRecords] = [20, 10]

/** Returns the input of `aggregate_records` for a plan. */
export const aggregateInput = (
  { source, function: name, field, groupBy, bucket, filters, extreme }: Plan,
  count: number,
) => ({
  data_source_id: source.id,
  measures: [{ function: name, ...(field === undefined ? {} : { field }) }],
  ...(groupBy.length === 0 ? {} : { group_by: groupBy }),
  ...(bucket === undefined ? {} : { time_bucket: bucket }),
  ...(Object.keys(filters).length === 0 ? {} : { filters }),
  ...(extreme === undefined && (bucket !== undefined || groupBy.length > 0) ? { order: 'key' } : {}),
  ...(extreme === 'min' ? { order: 'ascending' } : {}),
  ...(extreme === undefined ? {} : { limit: Math.max(count, 1) }),
})

/** Returns the input of `search_data` that lists the records of a plan. */
export const recordsInput = ({ source, field, filters, extreme }: Plan, count: number) => ({
  data_source_ids: [source.id],
  filters,
  limit: extreme === undefined ? maxListedRecords : Math.min(count, maxListedRecords),
  ...(field === undefined ? {} : { sort: extreme === 'min' ? field : `-${field}` }),
})

/** Writes the numbers that `aggregate_records` returned. */
export function computedAnswer({ language, count }: Question, plan: Plan, output: unknown): string {
  const say = phrases[language]
  const groups = arrayIn(output, 'groups')
  const [measure = ''] = arrayIn(output, 'measures').map(String)
  const read = Number(memberOf(output, 'rows_read') ?? 0)
  const matched = Number(memberOf(output, 'rows_matched') ?? 0)
  const notes = [
    say.rows(matched, read, plan.source.name),
    ...describeFilters(plan.filters),
    ...(memberOf(output, 'complete') === true ? [] : [say.incomplete]),
  ].join('; ')
  const name = plan.field?.replaceAll('_', ' ') ?? ''
  if (matched === 0 && plan.function !== 'count') return `${say.none} (${notes}).`
  if (plan.countsGroups)
    return `${say.groups(plan.groupBy.join(), Number(memberOf(output, 'groups_total') ?? 0))} (${notes}).`
  const [first] = groups
  if (plan.groupBy.length === 0 && plan.bucket === undefined) {
    const value = formatValue(memberOf(first, measure))
    return `${plan.function === 'count' ? say.count(value) : say.value(plan.function, name, value)} (${notes}).`
  }
  const keyOf = (group: unknown) =>
    arrayIn(output, 'group_by')
      .map((field) => formatValue(memberOf(group, String(field))))
      .join(', ')
  const title = say.measure(plan.function, name)
  if (plan.extreme !== undefined && count <= 1)
    return `${say.best(keyOf(first), plan.extreme, formatValue(memberOf(first, measure)))} (${title}; ${notes}).`
  const lines = groups
    .slice(0, maxListedGroups)
    .map((group) => `- ${keyOf(group)}: ${formatValue(memberOf(group, measure))}`)
  return [say.list(`${title} (${notes})`), ...lines].join('\n')
}

/** Writes the records that a plan lists, each with its marker. */
export function recordsAnswer({ language, count }: Question, plan: Plan, records: readonly KnownRecord[]): string {
  const say = phrases[language]
  const [first] = records
  if (first === undefined) return `${say.none} (${[plan.source.name, ...describeFilters(plan.filters)].join('; ')}).`
  if (plan.extreme !== undefined && count <= 1) {
    const value =
      plan.field === undefined ? '' : `${plan.field.replaceAll('_', ' ')} ${formatValue(first.data[plan.field])}`
    return `${say.best(describeRecord(first), plan.extreme, value)} ${first.marker}`
  }
  return records.map((record) => `- ${describeRecord(record)} ${record.marker}`).join('\n')
}

const describeFilters = (filters: Record<string, unknown>): string[] =>
  Object.entries(filters)
    .filter(([, condition]) => memberOf(condition, 'exists') === undefined)
    .map(([field, condition]) => `${field.replaceAll('_', ' ')} ${describeCondition(condition)}`)

const signs = { gt: '>', gte: '≥', lt: '<', lte: '≤' } as const

function describeCondition(condition: unknown): string {
  if (typeof condition !== 'object' || condition === null) return `= ${String(condition)}`
  const among = arrayIn(condition, 'in')
  if (among.length > 0) return `= ${among.join(' / ')}`
  return Object.entries(signs)
    .filter(([name]) => memberOf(condition, name) !== undefined)
    .map(([name, sign]) => `${sign} ${String(memberOf(condition, name))}`)
    .join(' ')
}

const formatValue = (value: unknown): string =>
  typeof value === 'number'
    ? String(Number(value.toFixed(4)))
    : value === null || value === undefined
      ? '–'
      : String(value)
