import type { Phrases } from '../language/phrases.ts'
import type { Condition, Filters, Query } from './query.ts'

/** States a query as it was understood: `counted tickets where status is open`. */
export function describeQuery(query: Query, say: Phrases): string {
  const {
    source,
    form,
    function: name,
    field = '',
    filters,
    partFilters,
    bucket,
    groupBy,
    order,
    select,
    groupCondition,
  } = query
  const done =
    form === 'distinct'
      ? say.did.distinct(source.name, field)
      : form === 'records'
        ? say.did.records(source.name, select.join(', '))
        : say.did[name](source.name, field)
  const conditions = [
    ...(Object.keys(filters).length === 0 ? [] : [conditionsOf(filters, say)]),
    ...(query.recurring === undefined ? [] : [recurringOf(query.recurring, say)]),
  ]
  const groups = [...groupBy, ...(bucket === undefined ? [] : [`${say.buckets[bucket.by]} (${bucket.field})`])]
  return [
    done,
    ...(conditions.length === 0 ? [] : [`${say.where} ${conditions.join(` ${say.and} `)}`]),
    ...(Object.keys(partFilters).length === 0 ? [] : [say.part(conditionsOf(partFilters, say))]),
    ...(groups.length === 0 ? [] : [say.per(groups.join(', '))]),
    ...(groupCondition === undefined
      ? []
      : [say.withNumber(`${signs[groupCondition.operator]} ${groupCondition.value}`)]),
    ...(order === undefined
      ? []
      : [`– ${say.ordered(order.direction, form === 'records' ? field : say.measure(name, field))}`]),
  ].join(' ')
}

function recurringOf({ field, weekdays, fromHour, untilHour }: NonNullable<Query['recurring']>, say: Phrases): string {
  const days = weekdays?.map(say.weekday).join(` ${say.or} `)
  const hours = fromHour === undefined ? [] : [say.hours(`${fromHour}:00`, `${untilHour ?? 24}:00`)]
  return `${field} ${[...(days === undefined ? [] : [say.onDays(days)]), ...hours].join(` ${say.and} `)}`
}

const conditionsOf = (filters: Filters, say: Phrases): string =>
  Object.entries(filters)
    .map(([field, condition]) => `${field} ${conditionOf(condition, say)}`)
    .join(` ${say.and} `)

const signs = { gt: '>', gte: '≥', lt: '<', lte: '≤' } as const

function conditionOf(condition: Condition, say: Phrases): string {
  if (typeof condition !== 'object') return `${say.is} ${String(condition)}`
  const { in: among, not, exists } = condition
  if (exists !== undefined) return exists ? say.filled : say.empty
  if (among !== undefined) return `${say.is} ${among.join(` ${say.or} `)}`
  if (not !== undefined) return `${say.isNot} ${[not].flat().join(` ${say.or} `)}`
  return Object.entries(condition)
    .map(([name, bound]) => `${signs[name as keyof typeof signs]} ${String(bound)}`) // the members that are left
    .join(` ${say.and} `)
}
