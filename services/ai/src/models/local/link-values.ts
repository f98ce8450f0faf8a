import { isNamed, meaningsOfName } from './language/matching.ts'
import type { Question } from './language/question.ts'
import { meaningOf } from './language/vocabulary.ts'
import { wordsOf } from './language/words.ts'
import { arrayIn, type KnownRecord, type KnownSource, memberOf, type ToolOutcome } from './tool-results.ts'

/** A longer value is a text, not a name. */
const maxValueLength = 60

/** Returns the values of fields that the question names, by field, as filters of the tools. */
export function linkValues(
  question: Question,
  source: KnownSource,
  records: readonly KnownRecord[],
  facets: ToolOutcome | undefined,
): Record<string, string | { in: string[] }> {
  const asked = wordsOf(question.text)
  const linked = new Map<string, Set<string>>()
  for (const { name, type } of source.fields) {
    if (type !== 'string' && type !== 'boolean') continue
    const seen = [
      ...records.filter(({ sourceId }) => sourceId === source.id).map(({ data }) => data[name]),
      ...arrayIn(memberOf(facets?.output, 'facets'), name).map((facet) => memberOf(facet, 'value')),
    ]
    const values = seen.filter((value) => typeof value === 'string' && value.length <= maxValueLength) as string[] // by the condition
    for (const value of values)
      if (isNamed(value, asked) && !isFieldName(value, source))
        linked.set(name, (linked.get(name) ?? new Set()).add(value))
  }
  return Object.fromEntries([...linked].map(([field, values]) => [field, conditionOf([...values])]))
}

/** The longest values win: `North Tower` over `North`. */
function conditionOf(values: readonly string[]): string | { in: string[] } {
  const kept = values.filter((value) => !values.some((other) => other !== value && contains(other, value)))
  return kept.length === 1 ? (kept[0] ?? '') : { in: kept }
}

const contains = (whole: string, part: string): boolean => {
  const words = wordsOf(whole).map(({ stem }) => stem)
  return wordsOf(part).every(({ stem }) => words.includes(stem))
}

/** A value such as `Building` says nothing if it is also the name of a column. */
const isFieldName = (value: string, { fields }: KnownSource): boolean => {
  const meanings = wordsOf(value).map(({ stem }) => meaningOf(stem))
  return fields.some(({ name }) => meanings.join(' ') === meaningsOfName(name).join(' '))
}
