import type { Phrases } from '../language/phrases.ts'
import { endColumn, recordColumn } from '../query/column-roles.ts'
import { describeQuery } from '../query/describe-query.ts'
import { type Filters, type Query, Refusal } from '../query/query.ts'
import { arrayIn, memberOf } from '../tool-results.ts'
import { answerGroups, groupNumbers, maxListedGroups } from './answer-groups.ts'
import { answerRecords } from './answer-records.ts'
import { type AnswerSteps, CallFailure, call, callAll, type Steps } from './answer-steps.ts'
import { formatValue } from './describe-record.ts'
import { checkHours, endOfData, hasHours, requireNoZero, resolveTimes } from './resolve-times.ts'

const maxGroups = 200

/** Runs a query with the tools of the run. The answer says how the question was understood. */
export function* answerQuery(asked: Query, say: Phrases): AnswerSteps {
  if (asked.isWhen && asked.bucket !== undefined) return yield* answerWhen(asked, asked.bucket.field, say)
  const resolved = yield* resolveTimes(asked, say)
  let query = resolved.query
  yield* checkHours(query, say)
  yield* requireNoZero(query, say)
  if (query.form === 'records') {
    const found = yield* answerRecords(query, say)
    if (typeof found === 'string') return [found, ...resolved.notes.map((note) => `(${note})`)].join(' ')
    query = found
  }
  if (query.form === 'share') return yield* answerShare(query, say)
  const { output } = yield* call('aggregate_records', aggregateInput(query))
  const isNone = numberIn(output, 'rows_matched') === 0
  const ends = isNone ? yield* endOfData(query, say) : []
  const notes = [...resolved.notes, ...ends, notesOf(query, output, say)].join('; ')
  const field = query.field ?? ''
  if (isNone && query.function !== 'count') return `${say.none} (${notes}).`
  if (query.form === 'distinct') {
    const [total, rows] = [numberIn(output, 'groups_total'), numberIn(output, 'rows_matched')]
    // `Trainings` of a source and a column of that name: the records may be meant.
    const records =
      !query.isDifferent && field === recordColumn(query.source) && rows > total
        ? `; ${say.records(query.source.name)}: ${rows}`
        : ''
    return `${say.distinct(field, String(total))}${records} (${notes}).`
  }
  if (query.groupBy.length === 0 && query.bucket === undefined) {
    const [group] = arrayIn(output, 'groups')
    const [measure = ''] = arrayIn(output, 'measures').map(String)
    const value = memberOf(group, measure)
    const hours = query.isInHours && typeof value === 'number' ? ` = ${formatValue(value / 60)} h` : ''
    const number = `${say.value(query.function, field, formatValue(value))}${hours}`
    const more = yield* alsoOf(query, output, say)
    return `${number}${more} (${notes}).`
  }
  return answerGroups(query, output, { say, notes })
}

/** Returns the number that answers a query without groups; undefined of other queries. */
export function* numberOf(asked: Query, say: Phrases): Steps<number | undefined> {
  const { query } = yield* resolveTimes(asked, say)
  const { form, groupBy, bucket } = query
  if (!/aggregate|distinct/.test(form) || groupBy.length > 0 || bucket !== undefined) return undefined
  const { output } = yield* call('aggregate_records', aggregateInput(query))
  if (form === 'distinct') return numberIn(output, 'groups_total')
  return finite(memberOf(arrayIn(output, 'groups')[0], String(arrayIn(output, 'measures')[0])))
}

/** Says the hour of the day, the day of the week and the day. */
function* answerWhen(query: Query, field: string, say: Phrases): AnswerSteps {
  const periods = (yield* hasHours(query.source.id, field))
    ? (['hour_of_day', 'weekday', 'day'] as const)
    : (['weekday', 'day'] as const)
  const answers: string[] = []
  for (const by of periods) answers.push(yield* answerQuery({ ...query, isWhen: false, bucket: { field, by } }, say))
  return answers.join('\n')
}

/** Returns other readings of a number: people who are counted again, and averages of records that share a day. */
function* alsoOf(query: Query, output: unknown, say: Phrases): Steps<string> {
  const field = query.field ?? ''
  const [group] = arrayIn(output, 'groups')
  const rows = numberIn(output, 'rows_matched')
  if (query.isHeadcount && rows > 1)
    return say.spread(formatValue(memberOf(group, `mean(${field})`)), formatValue(memberOf(group, `max(${field})`)))
  const { recurring, averagePer } = query
  const names = namesOf(query)
  const different = finite(memberOf(group, `distinct(${names})`))
  // Records that came twice: the number of tickets is that of their names.
  if (names !== undefined && different !== undefined && different > 0 && different < rows)
    return `; ${say.distinctOf(names, formatValue(different))}`
  const isOfDays = query.function === 'mean' && recurring !== undefined && recurring.fromHour === undefined
  const bucket = averagePer ?? (isOfDays ? { field: recurring.field, by: 'day' as const } : undefined)
  if (bucket === undefined || rows === 0) return ''
  const byDay = { ...query, function: query.function === 'count' ? ('count' as const) : ('sum' as const), bucket }
  const days = yield* call('aggregate_records', aggregateInput(byDay))
  const count = numberIn(days.output, 'groups_total')
  const mean = Number(memberOf(group, `mean(${field})`))
  const total = query.function === 'count' ? rows : mean * (rows - numberIn(output, 'ignored_values'))
  return count === rows && averagePer === undefined
    ? ''
    : `; ${say.perPeriod(formatValue(total / count), count, bucket.by)}`
}

function aggregateInput(query: Query): Record<string, unknown> {
  const {
    source,
    form,
    function: name,
    field,
    groupBy,
    bucket,
    filters,
    order,
    alsoExtreme,
    recurring,
    groupCondition,
  } = query
  const isDistinct = form === 'distinct' && field !== undefined
  const measured = field === undefined || isDistinct ? {} : { field }
  const extreme = alsoExtreme && order !== undefined ? [{ function: order.direction, ...measured }] : []
  const groups = isDistinct ? [field] : groupBy
  const conditions: Filters = isDistinct ? { [field]: { exists: true }, ...filters } : filters
  return {
    data_source_id: source.id,
    measures: [{ function: name, ...measured }, ...extreme, ...moreMeasures(query)],
    ...(groups.length === 0 ? {} : { group_by: groups }),
    ...(bucket === undefined ? {} : { time_bucket: bucket }),
    ...(Object.keys(conditions).length === 0 ? {} : { filters: conditions }),
    ...(recurring === undefined ? {} : { recurring: recurringInput(recurring) }),
    ...(groups.length === 0 && bucket === undefined
      ? {}
      : {
          order:
            groupCondition !== undefined
              ? groupCondition.operator.startsWith('g')
                ? 'descending'
                : 'ascending'
              : order === undefined
                ? 'key'
                : order.direction === 'max'
                  ? 'descending'
                  : 'ascending',
          limit: maxGroups,
        }),
  }
}

/** Returns the column that names the records of a query without groups. */
const namesOf = ({ source, groupBy }: Query): string | undefined =>
  groupBy.length > 0 ? undefined : recordColumn(source)

const finite = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)

/** Returns the measures of other readings; see `alsoOf` and `answerGroups`. */
function moreMeasures(query: Query): Record<string, unknown>[] {
  const { isHeadcount, function: name, field, bucket } = query
  const measured = field === undefined ? {} : { field }
  if (isHeadcount)
    return [
      { function: 'mean', ...measured },
      { function: 'max', ...measured },
    ]
  const names = query.form === 'aggregate' && name === 'count' && bucket === undefined ? namesOf(query) : undefined
  if (names !== undefined) return [{ function: 'distinct', field: names }]
  if (bucket?.by !== 'weekday') return []
  return [
    { function: 'min', field: bucket.field },
    { function: 'max', field: bucket.field },
    ...(name === 'mean' ? [{ function: 'sum', ...measured }] : []),
  ]
}

const recurringInput = ({ field, weekdays, fromHour, untilHour }: NonNullable<Query['recurring']>) => ({
  field,
  ...(weekdays === undefined ? {} : { weekdays }),
  ...(fromHour === undefined ? {} : { from_hour: fromHour }),
  ...(untilHour === undefined ? {} : { until_hour: untilHour }),
})

/** Returns how the question was understood, and what the number leaves out. */
function notesOf(query: Query, output: unknown, say: Phrases): string {
  const ignored = numberIn(output, 'ignored_values')
  const end = endColumn(query.source)
  const isOfAll = end !== undefined && query.filters[end] === undefined && query.partFilters[end] === undefined
  return [
    describeQuery(query, say),
    say.rows(numberIn(output, 'rows_matched'), numberIn(output, 'rows_read')),
    ...(isOfAll ? [say.alsoEnded(end)] : []),
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
  const [wholes = [], parts = []] = outcomes.map(({ output, failure }) => {
    if (failure !== undefined) throw new CallFailure('aggregate_records', failure)
    return groupNumbers(query, output, say)
  })
  const notes = notesOf(query, outcomes[0]?.output, say)
  const [total, read] = [numberIn(outcomes[0]?.output, 'groups_total'), arrayIn(outcomes[0]?.output, 'groups').length]
  if (total > read) throw new Refusal(say.tooMany(String(total), query.groupBy.join(', ')))
  const shares = wholes
    .filter(({ value }) => value !== 0)
    .map(({ key, value: whole }) => {
      const part = parts.find((group) => group.key.toLowerCase() === key.toLowerCase())?.value ?? 0
      const percent = formatValue(Number(((100 * part) / whole).toFixed(1)))
      return { key, share: say.shareIs(percent, formatValue(part), formatValue(whole)) }
    })
  if (shares.length === 0) return `${say.none} (${notes}).`
  if (query.groupBy.length === 0 && query.bucket === undefined) return `${shares[0]?.share} (${notes}).`
  const listed = shares.slice(0, maxListedGroups).map(({ key, share }) => `- ${key}: ${share}`)
  const cut = listed.length < shares.length ? `; ${say.shown(listed.length, String(shares.length))}` : ''
  return [`${say.share} (${notes}${cut}):`, ...listed].join('\n')
}
