import type { Phrases } from '../language/phrases.ts'
import { isoWeekOf } from '../query/times/periods.ts'
import { formatValue } from './describe-record.ts'

export interface GroupRow {
  key: string
  value: unknown
}

export const maxListedGroups = 24

/** Returns the name of a group: a day of the week in the language of the question, a week also by its number. */
export function labelOf(value: unknown, by: string | undefined, say: Phrases): string {
  if (by === 'weekday' && typeof value === 'string') return say.weekday(value)
  if (by === 'week' && typeof value === 'string') return `${value} (${say.week(isoWeekOf(value))})`
  return formatValue(value)
}
/** Lists groups with their numbers. */
export const listOf = (
  title: string,
  rows: readonly (GroupRow & { perDay?: number | undefined })[],
  say?: Phrases,
): string =>
  [
    title,
    ...rows.map(({ key, value, perDay }) => {
      const daily = perDay === undefined || say === undefined ? '' : ` (${say.daily(formatValue(perDay))})`
      return `- ${key}: ${formatValue(value)}${daily}`
    }),
  ].join('\n')

/** Returns rows in which `Closed` and `closed` are one group, by its most frequent spelling: a condition finds both. */
export function withoutSpellings<T extends GroupRow>(rows: readonly T[]): T[] {
  const groups = Map.groupBy(rows, ({ key }) => key.toLowerCase())
  return [...groups.values()].flatMap((spellings) => {
    const [most, other] = spellings.toSorted((a, b) => Number(b.value) - Number(a.value))
    if (most === undefined || other === undefined) return most ?? []
    return { ...most, value: spellings.reduce((sum, { value }) => sum + Number(value), 0), extreme: undefined }
  })
}
