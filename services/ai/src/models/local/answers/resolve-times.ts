import type { Phrases } from '../language/phrases.ts'
import { type Condition, type Query, Refusal } from '../query/query.ts'
import { relativeRange, type TimeRange } from '../query/times/periods.ts'
import { arrayIn, memberOf } from '../tool-results.ts'
import { call, type Steps } from './answer-steps.ts'

const maxMonths = 200

/** Returns a query with the times that the data decide, and what the answer has to say about them. */
export function* resolveTimes(asked: Query, say: Phrases): Steps<{ query: Query; notes: string[] }> {
  let query = asked
  const notes: string[] = []
  for (const { field, range } of asked.unresolved) {
    if (query.filters[field] !== undefined) throw new Refusal(say.twoConditions(field))
    const { condition, note } = range.isOpenEnded
      ? { condition: yield* stillOpen(query.source.id, { field, today: range.from ?? '' }, say) }
      : range.relative === undefined
        ? { condition: yield* withYear(query, { field, range }, say) }
        : yield* byLastTime(query, { field, range }, say)
    query = { ...query, filters: { ...query.filters, [field]: condition } }
    if (note !== undefined) notes.push(note)
  }
  return { query, notes }
}

/** Returns the condition of what has not ended. @throws Refusal if some ends are to come: it has two readings then */
function* stillOpen(
  source: string,
  { field, today }: { field: string; today: string },
  say: Phrases,
): Steps<Condition> {
  const { day } = yield* lastDay(source, field)
  if (day >= today) throw new Refusal(say.ambiguous(say.stillThere, [`${field} ${say.empty}`, `${field} ≥ ${today}`]))
  return { exists: false }
}

/** Counts a period by the clock from the last time of the data, if they end before it begins. */
function* byLastTime(
  { source }: Query,
  { field, range }: Query['unresolved'][number],
  say: Phrases,
): Steps<{ condition: Condition; note?: string }> {
  const { day, isComplete } = yield* lastDay(source.id, field)
  const isOver = range.from !== undefined && day !== '' && day < range.from && isComplete
  if (!isOver || range.relative === undefined) return { condition: conditionOf(range) }
  // Yesterday and this week are no other time, and 0 would say that nothing happened.
  const { by, shift, count } = range.relative
  if (count === undefined && (by === 'day' || (shift ?? 0) >= 0)) throw new Refusal(say.dataEndBefore(field, day))
  return {
    condition: conditionOf(relativeRange(new Date(`${day}T00:00:00Z`), range.relative)),
    note: say.dataEnd(field, day),
  }
}

/** Reads the last day of a column of times; empty if it has none. */
function* lastDay(source: string, field: string): Steps<{ day: string; isComplete: boolean }> {
  const { output } = yield* call('aggregate_records', {
    data_source_id: source,
    measures: [{ function: 'max', field }],
  })
  const last = memberOf(arrayIn(output, 'groups')[0], `max(${field})`)
  return { day: typeof last === 'string' ? last.slice(0, 10) : '', isComplete: memberOf(output, 'complete') === true }
}

/** Returns a note for each period that begins after the data end: no record of it says nothing. */
export function* endOfData({ source, filters }: Query, say: Phrases): Steps<string[]> {
  const notes: string[] = []
  for (const [field, condition] of Object.entries(filters)) {
    const from = typeof condition === 'object' ? (condition.gte ?? condition.gt) : undefined
    if (typeof from !== 'string') continue
    const { day } = yield* lastDay(source.id, field)
    if (day !== '' && day < from) notes.push(say.dataEndBefore(field, day).replace(/\.$/, ''))
  }
  return notes
}

const conditionOf = ({ from, until }: TimeRange): Condition => ({
  ...(from === undefined ? {} : { gte: from }),
  ...(until === undefined ? {} : { lt: until }),
})

/** Reads the months of the data, and returns the condition with the only year that is possible. */
function* withYear(query: Query, { field, range }: Query['unresolved'][number], say: Phrases): Steps<Condition> {
  const bucket = { field, by: 'month' }
  const { output } = yield* call('aggregate_records', {
    data_source_id: query.source.id,
    time_bucket: bucket,
    order: 'key',
    limit: maxMonths,
  })
  const months = arrayIn(output, 'groups')
    .map((group) => memberOf(group, field))
    .filter((month) => typeof month === 'string')
  const isUnread = numberIn(output, 'groups_total') > months.length + 1 || memberOf(output, 'complete') !== true
  if (range.inYear !== undefined) {
    const found = rangesOf(range.inYear, months)
    const [only, other] = found
    if (only === undefined || other !== undefined || isUnread)
      throw new Refusal(say.noYear(found.map(({ from, until }) => (from ?? until ?? '').slice(0, 4))))
    return conditionOf(only)
  }
  const { from, until } = range
  const isWithin = (month: string) =>
    from === undefined || until === undefined || (month.slice(5) >= from.slice(5, 7) && `2000${month.slice(4)}` < until)
  const yearsOf = (some: readonly string[]) => [...new Set(some.map((month) => month.slice(0, 4)))]
  const [all, within] = [yearsOf(months), yearsOf(months.filter(isWithin))]
  const [year, other] = within.length > 0 ? within : all
  if (
    year === undefined ||
    other !== undefined ||
    isUnread ||
    (from !== undefined && until !== undefined && from >= until)
  )
    throw new Refusal(say.noYear(within.length > 0 ? within : all))
  const dated = (day: string) => `${Number(year) + Number(day.slice(0, 4)) - 2000}${day.slice(4)}`
  return conditionOf({
    ...(from === undefined ? {} : { from: dated(from) }),
    ...(until === undefined ? {} : { until: dated(until) }),
  })
}

/** Returns what a period is in the years that the data span. */
function rangesOf(inYear: NonNullable<TimeRange['inYear']>, months: readonly string[]): TimeRange[] {
  const [first = '', last = ''] = [months[0], months.at(-1)]
  const years = Array.from({ length: Math.max(0, Number(last.slice(0, 4)) - Number(first.slice(0, 4)) + 1) || 0 })
  return years
    .map((_year, at) => inYear(Number(first.slice(0, 4)) + at))
    .filter((range) => range !== undefined)
    .filter(
      ({ from, until }) => (from ?? until ?? '').slice(0, 7) <= last && (until ?? from ?? '').slice(0, 7) >= first,
    )
}

/** @throws Refusal if `no rating` may mean 0, as some records have it */
export function* requireNoZero({ source, missing = [] }: Query, say: Phrases): Steps<void> {
  for (const field of missing) {
    const zeros = yield* call('aggregate_records', { data_source_id: source.id, filters: { [field]: 0 } })
    if (numberIn(zeros.output, 'rows_matched') > 0)
      throw new Refusal(say.ambiguous(say.without(field), [`${field} = 0`, `${field} ${say.empty}`]))
  }
}

/** Reads the hours of a column of times. @throws Refusal if hours are asked for and it has days only */
export function* checkHours({ source, bucket, recurring }: Query, say: Phrases): Steps<void> {
  const field =
    bucket?.by === 'hour_of_day' ? bucket.field : recurring?.fromHour === undefined ? undefined : recurring.field
  if (field !== undefined && !(yield* hasHours(source.id, field))) throw new Refusal(say.noHours(field))
}

/** Returns false for a column of days. */
export function* hasHours(source: string, field: string): Steps<boolean> {
  const { output } = yield* call('aggregate_records', {
    data_source_id: source,
    time_bucket: { field, by: 'hour_of_day' },
    order: 'key',
  })
  const hours = arrayIn(output, 'groups').map((group) => memberOf(group, field))
  return hours.some((hour) => typeof hour === 'string' && hour !== '00:00')
}

const numberIn = (output: unknown, name: string): number => Number(memberOf(output, name) ?? 0)
