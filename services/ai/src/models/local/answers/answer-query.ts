import type { Phrases } from '../language/phrases.ts'
import { describeQuery } from '../query/describe-query.ts'
import { type Condition, type Filters, type Query, Refusal } from '../query/query.ts'
import { arrayIn, memberOf } from '../tool-results.ts'
import { answerRecords } from './answer-records.ts'
import { type AnswerSteps, CallFailure, call, callAll, type Steps } from './answer-steps.ts'
import { formatValue } from './describe-record.ts'

const [maxGroups, maxListedGroups] = [200, 20]

/** Runs a query with the tools of the run. The answer says how the question was understood. */
export function* answerQuery(asked: Query, say: Phrases): AnswerSteps {
  let query = asked
  for (const range of asked.yearless) query = yield* withYear(query, range, say)
  if (query.form === 'records') {
    const found = yield* answerRecords(query, say)
    if (typeof found === 'string') return found
    query = found
  }
  if (query.form === 'share') return yield* answerShare(query, say)
  const { output } = yield* call('aggregate_records', aggregateInput(query))
  const notes = notesOf(query, output, say)
  const [measure = '', extreme] = arrayIn(output, 'measures').map(String)
  const field = query.field ?? ''
  if (numberIn(output, 'rows_matched') === 0 && query.function !== 'count') return `${say.none} (${notes}).`
  if (query.form === 'distinct') return `${say.distinct(field, String(memberOf(output, 'groups_total')))} (${notes}).`
  const groups = arrayIn(output, 'groups')
  if (query.groupBy.length === 0 && query.bucket === undefined)
    return `${say.value(query.function, field, formatValue(memberOf(groups[0], measure)))} (${notes}).`
  if (groups.length === 0) return `${say.none} (${notes}).`
  const rows = groups.map((group) => ({
    key: arrayIn(output, 'group_by')
      .map((name) => formatValue(memberOf(group, String(name))))
      .join(', '),
    value: memberOf(group, measure),
    extreme: extreme === undefined ? undefined : memberOf(group, extreme),
  }))
  const total = numberIn(output, 'groups_total')
  if (query.order !== undefined) {
    const best = bestOf(rows, query.order, ({ value }) => value)
    const title = say.measure(query.function, field)
    const single =
      extreme === undefined || total > rows.length
        ? []
        : bestOf(rows, { ...query.order, count: 1 }, (row) => row.extreme)
    const sentences = [
      query.order.count > 1 ? listOf(`${title}:`, best) : bestText(best, query.order.direction, title, say),
      ...(single.length === 0 ? [] : [bestText(single, query.order.direction, say.single(field), say)]),
    ]
    return `${sentences.join('\n')} (${notes}).`
  }
  const shown = rows.slice(0, maxListedGroups)
  const cut = shown.length < total ? `; ${say.shown(shown.length, String(total))}` : ''
  return listOf(`${say.measure(query.function, field)} (${notes}${cut}):`, shown)
}

interface Row {
  key: string
  value: unknown
}

const listOf = (title: string, rows: readonly Row[]): string =>
  [title, ...rows.map(({ key, value }) => `- ${key}: ${formatValue(value)}`)].join('\n')

const bestText = (rows: readonly Row[], direction: 'max' | 'min', what: string, say: Phrases): string =>
  rows[0] === undefined
    ? say.none
    : say.best(rows.map(({ key }) => key).join(', '), direction, what, formatValue(rows[0].value))

/** Returns the first entries, and those that equal the last of them. Groups without a name or value are left out. */
function bestOf<T extends Row>(
  rows: readonly T[],
  order: NonNullable<Query['order']>,
  valueIn: (row: T) => unknown,
): Row[] {
  const sign = order.direction === 'max' ? -1 : 1
  const named = rows.filter((row) => row.key !== '–' && typeof valueIn(row) === 'number')
  const sorted = named
    .map((row) => ({ key: row.key, value: Number(valueIn(row)) }))
    .toSorted((a, b) => sign * (a.value - b.value))
  const last = sorted[order.count - 1]?.value
  return sorted.filter(({ value }, at) => at < order.count || value === last)
}

function aggregateInput(query: Query): Record<string, unknown> {
  const { source, form, function: name, field, groupBy, bucket, filters, order, alsoExtreme } = query
  const isDistinct = form === 'distinct' && field !== undefined
  const measured = field === undefined || isDistinct ? {} : { field }
  const extreme = alsoExtreme && order !== undefined ? [{ function: order.direction, ...measured }] : []
  const groups = isDistinct ? [field] : groupBy
  const conditions: Filters = isDistinct ? { [field]: { exists: true }, ...filters } : filters
  return {
    data_source_id: source.id,
    measures: [{ function: name, ...measured }, ...extreme],
    ...(groups.length === 0 ? {} : { group_by: groups }),
    ...(bucket === undefined ? {} : { time_bucket: bucket }),
    ...(Object.keys(conditions).length === 0 ? {} : { filters: conditions }),
    ...(groups.length === 0 && bucket === undefined
      ? {}
      : {
          order: order === undefined ? 'key' : order.direction === 'max' ? 'descending' : 'ascending',
          limit: maxGroups,
        }),
  }
}

/** Returns how the question was understood, and what the number leaves out. */
function notesOf(query: Query, output: unknown, say: Phrases): string {
  const ignored = numberIn(output, 'ignored_values')
  return [
    describeQuery(query, say),
    say.rows(numberIn(output, 'rows_matched'), numberIn(output, 'rows_read')),
    ...(ignored > 0 ? [say.ignored(ignored)] : []),
    ...(memberOf(output, 'complete') === true ? [] : [say.incomplete]),
  ].join('; ')
}

const numberIn = (output: unknown, name: string): number => Number(memberOf(output, name) ?? 0)

function* answerShare(query: Query, say: Phrases): AnswerSteps {
  const inputs = [query.filters, { ...query.filters, ...query.partFilters }].map((filters) =>
    aggregateInput({ ...query, filters, form: 'aggregate' }),
  )
  const outcomes = yield* callAll(...inputs.map((input) => ({ tool: 'aggregate_records', input })))
  const [whole = 0, part = 0] = outcomes.map(({ output, failure }) => {
    if (failure !== undefined) throw new CallFailure('aggregate_records', failure)
    const [measure = ''] = arrayIn(output, 'measures').map(String)
    return Number(memberOf(arrayIn(output, 'groups')[0], measure) ?? 0)
  })
  const notes = notesOf(query, outcomes[0]?.output, say)
  if (whole === 0) return `${say.none} (${notes}).`
  return `${say.shareIs(formatValue(Number(((100 * part) / whole).toFixed(1))), formatValue(part), formatValue(whole))} (${notes}).`
}

/** Reads the months of the data, and returns the query with the only year that is possible. */
function* withYear(query: Query, { field, range }: Query['yearless'][number], say: Phrases): Steps<Query> {
  const bucket = { field, by: 'month' }
  const { output } = yield* call('aggregate_records', {
    ...{ data_source_id: query.source.id, time_bucket: bucket, order: 'key', limit: maxGroups },
  })
  const months = arrayIn(output, 'groups')
    .map((group) => memberOf(group, field))
    .filter((month) => typeof month === 'string')
  const { from, until } = range
  const isWithin = (month: string) =>
    from === undefined || until === undefined || (month.slice(5) >= from.slice(5, 7) && `2000${month.slice(4)}` < until)
  const yearsOf = (some: readonly string[]) => [...new Set(some.map((month) => month.slice(0, 4)))]
  const [all, within] = [yearsOf(months), yearsOf(months.filter(isWithin))]
  const [year, other] = within.length > 0 ? within : all
  const isUnread = numberIn(output, 'groups_total') > months.length + 1 || memberOf(output, 'complete') !== true
  if (
    year === undefined ||
    other !== undefined ||
    isUnread ||
    (from !== undefined && until !== undefined && from >= until)
  )
    throw new Refusal(say.noYear(within.length > 0 ? within : all))
  if (query.filters[field] !== undefined) throw new Refusal(say.twoConditions(field))
  const dated = (day: string) => `${Number(year) + Number(day.slice(0, 4)) - 2000}${day.slice(4)}`
  const condition: Condition = {
    ...(from === undefined ? {} : { gte: dated(from) }),
    ...(until === undefined ? {} : { lt: dated(until) }),
  }
  return { ...query, filters: { ...query.filters, [field]: condition } }
}
