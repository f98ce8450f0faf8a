import type { Phrases } from '../language/phrases.ts'
import { type GroupCondition, type Query, Refusal } from '../query/query.ts'
import { arrayIn, memberOf } from '../tool-results.ts'
import { labelOf, listOf, maxListedGroups } from './group-list.ts'

/** Counts or lists the groups whose number passes a bound. @throws Refusal if there may be more than were read */
export function answerCondition(
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
