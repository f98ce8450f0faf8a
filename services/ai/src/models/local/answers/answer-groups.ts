import type { Phrases } from '../language/phrases.ts'
import { type GroupCondition, type Query, Refusal } from '../query/query.ts'
import { isoWeekOf } from '../query/times/periods.ts'
import { weekdays } from '../query/times/recurrences.ts'
import { arrayIn, memberOf } from '../tool-results.ts'
import { formatValue } from './describe-record.ts'

export const maxListedGroups = 24

/** States the groups of an aggregate, or the best of them. */
export function answerGroups(query: Query, output: unknown, { say, notes }: { say: Phrases; notes: string }): string {
  const { order, bucket, field = '' } = query
  const groups = arrayIn(output, 'groups')
  if (groups.length === 0) return `${say.none} (${notes}).`
  const [measure = '', extreme] = arrayIn(output, 'measures').map(String)
  const perDay = query.groupBy.length === 0 && bucket?.by === 'weekday' ? perDayOf(query, groups, measure) : undefined
  if (query.groupCondition !== undefined) return answerCondition(query, query.groupCondition, output, { say, notes })
  const all = groups.map((group) => {
    const [first] = arrayIn(output, 'group_by')
    return {
      key: keyOf(group, output, query, say),
      value: memberOf(group, measure),
      extreme: query.alsoExtreme && extreme !== undefined ? memberOf(group, extreme) : undefined,
      perDay: perDay?.(group),
      day: weekdays.indexOf(String(memberOf(group, String(first)))),
    }
  })
  const merged = /^(?:count|sum)$/.test(query.function) && bucket === undefined ? withoutSpellings(all) : all
  const rows = bucket?.by === 'weekday' && order === undefined ? merged.toSorted((a, b) => a.day - b.day) : merged
  const total = Number(memberOf(output, 'groups_total') ?? 0) - (all.length - merged.length)
  const title = say.measure(query.function, field)
  if (order !== undefined) {
    const best = bestOf(rows, order, ({ value }) => value)
    const bestDay = bestOf(rows, { ...order, count: 1 }, (row) => row.perDay)
    const single =
      !query.alsoExtreme || total > rows.length ? [] : bestOf(rows, { ...order, count: 1 }, (row) => row.extreme)
    const sentences = [
      order.count > 1 ? listOf(`${title}:`, best) : bestText(best, order.direction, title, say),
      ...(single.length === 0 ? [] : [bestText(single, order.direction, say.single(field), say)]),
      // Five Mondays have more than four Fridays, and may have less a day.
      ...(bestDay.length === 0 ||
      bestDay.map(({ key }) => key).join() ===
        bestOf(rows, { ...order, count: 1 }, ({ value }) => value)
          .map(({ key }) => key)
          .join()
        ? []
        : [bestText(bestDay, order.direction, say.perWeekday(title), say)]),
      ...differenceOf(query, rows, say),
    ]
    return `${sentences.join('\n')} (${notes}).`
  }
  const shown = rows.slice(0, maxListedGroups)
  const cut = shown.length < total ? `; ${say.shown(shown.length, String(total))}` : ''
  return [listOf(`${title} (${notes}${cut}):`, shown, say), ...differenceOf(query, rows, say)].join('\n')
}

/** Returns the numbers of groups by name; spellings of one name are added up. */
export function groupNumbers(query: Query, output: unknown, say: Phrases): { key: string; value: number }[] {
  const [measure = ''] = arrayIn(output, 'measures').map(String)
  const groups = arrayIn(output, 'groups').map((group) => ({
    key: keyOf(group, output, query, say),
    value: Number(memberOf(group, measure) ?? 0),
  }))
  return query.bucket === undefined ? withoutSpellings(groups) : groups
}

const keyOf = (group: unknown, output: unknown, { bucket }: Query, say: Phrases): string =>
  arrayIn(output, 'group_by')
    .map((name) => labelOf(memberOf(group, String(name)), name === bucket?.field ? bucket?.by : undefined, say))
    .join(', ')

/** Returns the difference of two groups that are compared. */
function differenceOf({ isCompared }: Query, rows: readonly GroupRow[], say: Phrases): string[] {
  const [first = Number.NaN, second = Number.NaN] = rows.map(({ value }) => Number(value))
  const difference = Math.abs(first - second)
  return isCompared && rows.length === 2 && Number.isFinite(difference) ? [say.difference(formatValue(difference))] : []
}

/** Returns a function that divides the total of a day of the week by how often it came; undefined if that is even. */
function perDayOf({ bucket, function: name, field = '' }: Query, groups: readonly unknown[], measure: string) {
  const [firsts, lasts] = ['min', 'max'].map((extreme) =>
    groups.map((group) => memberOf(group, `${extreme}(${bucket?.field})`)).filter((time) => typeof time === 'string'),
  )
  const counts = weekdayCounts(firsts?.toSorted()[0] ?? '', lasts?.toSorted().at(-1) ?? '')
  const named = groups.map((group) => ({ group, count: counts.get(String(memberOf(group, bucket?.field ?? ''))) ?? 0 }))
  const isMean = name === 'mean'
  const isEven = isMean
    ? named.every(({ group, count }) => memberOf(group, 'rows') === count)
    : new Set(named.map(({ count }) => count)).size === 1
  if (isEven || !/mean|sum|count/.test(name)) return undefined
  return (group: unknown): number | undefined => {
    const count = named.find((one) => one.group === group)?.count ?? 0
    return count === 0 ? undefined : Number(memberOf(group, isMean ? `sum(${field})` : measure)) / count
  }
}

const dayMs = 86_400_000

/** Returns how often each day of the week comes from one day to another, both included. */
function weekdayCounts(first: string, last: string): Map<string, number> {
  const counts = new Map(weekdays.map((name) => [name, 0]))
  const [from, until] = [first, last].map((day) => Date.parse(day.slice(0, 10)))
  const days = Math.round(((until ?? Number.NaN) - (from ?? Number.NaN)) / dayMs) + 1
  const monday = (new Date(from ?? Number.NaN).getUTCDay() + 6) % 7
  for (const [at, name] of weekdays.entries()) counts.set(name, Math.floor((days + 6 - ((at - monday + 7) % 7)) / 7))
  return counts
}

const bestText = (rows: readonly GroupRow[], direction: 'max' | 'min', what: string, say: Phrases): string =>
  rows[0] === undefined
    ? say.none
    : say.best(rows.map(({ key }) => key).join(', '), direction, what, formatValue(rows[0].value))

/** Returns the first entries, and those that equal the last of them. Groups without a name or value are left out. */
function bestOf<T extends GroupRow>(
  rows: readonly T[],
  order: NonNullable<Query['order']>,
  valueIn: (row: T) => unknown,
): GroupRow[] {
  const sign = order.direction === 'max' ? -1 : 1
  const named = rows.filter((row) => row.key !== '–' && typeof valueIn(row) === 'number')
  const sorted = named
    .map((row) => ({ key: row.key, value: Number(valueIn(row)) }))
    .toSorted((a, b) => sign * (a.value - b.value))
  const last = sorted[order.count - 1]?.value
  return sorted.filter(({ value }, at) => at < order.count || value === last)
}

/** Counts or lists the groups whose number passes a bound. @throws Refusal if there may be more than were read */
function answerCondition(
  { bucket }: Query,
  { operator, value, isCounted }: GroupCondition,
  output: unknown,
  { say, notes }: { say: Phrases; notes: string },
): string {
  const groups = arrayIn(output, 'groups')
  const total = Number(memberOf(output, 'groups_total') ?? 0)
  const [measure = ''] = arrayIn(output, 'measures').map(String)
  const [field = ''] = arrayIn(output, 'group_by').map(String)
  const passes = (number: unknown): boolean =>
    typeof number === 'number' &&
    { gt: number > value, gte: number >= value, lt: number < value, lte: number <= value }[operator]
  const passing = groups.filter((group) => passes(memberOf(group, measure)))
  if (passing.length === groups.length && groups.length < total) throw new Refusal(say.tooMany(String(total), field))
  if (isCounted)
    return `${say.passing(passing.length, total, bucket === undefined ? field : say.buckets[bucket.by])} (${notes}).`
  const rows = passing.map((group) => ({
    key: labelOf(memberOf(group, field), bucket?.by, say),
    value: memberOf(group, measure),
  }))
  if (rows.length === 0) return `${say.noGroup} (${notes}).`
  const shown = rows.slice(0, maxListedGroups)
  const cut = shown.length < rows.length ? `; ${say.shown(shown.length, String(rows.length))}` : ''
  return listOf(
    `${say.passing(rows.length, total, bucket === undefined ? field : say.buckets[bucket.by])} (${notes}${cut}):`,
    shown,
  )
}

interface GroupRow {
  key: string
  value: unknown
}

/** Returns the name of a group: a day of the week in the language of the question, a week also by its number. */
function labelOf(value: unknown, by: string | undefined, say: Phrases): string {
  if (by === 'weekday' && typeof value === 'string') return say.weekday(value)
  if (by === 'week' && typeof value === 'string') return `${value} (${say.week(isoWeekOf(value))})`
  return formatValue(value)
}
/** Lists groups with their numbers. */
const listOf = (title: string, rows: readonly (GroupRow & { perDay?: number | undefined })[], say?: Phrases): string =>
  [
    title,
    ...rows.map(({ key, value, perDay }) => {
      const daily = perDay === undefined || say === undefined ? '' : ` (${say.daily(formatValue(perDay))})`
      return `- ${key}: ${formatValue(value)}${daily}`
    }),
  ].join('\n')

/** Returns rows in which `Closed` and `closed` are one group, by its most frequent spelling: a condition finds both. */
function withoutSpellings<T extends GroupRow>(rows: readonly T[]): T[] {
  const groups = Map.groupBy(rows, ({ key }) => key.toLowerCase())
  return [...groups.values()].flatMap((spellings) => {
    const [most, other] = spellings.toSorted((a, b) => Number(b.value) - Number(a.value))
    if (most === undefined || other === undefined) return most ?? []
    const value = spellings.reduce((sum, row) => sum + Number(row.value), 0)
    return { ...most, value, ...('extreme' in most && { extreme: undefined }) }
  })
}
