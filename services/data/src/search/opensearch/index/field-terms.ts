import { isNumberText, isTimestampText, toTimestampMs } from '../../../schema/value-kinds.ts'
import { isCountable } from '../../query/filter/facets.ts'
import { listMembers } from '../../query/filter/field-filter.ts'

/**
 * The values of fields as terms of one keyword field, so that no field of a user is mapped. A term has the workspace,
 * the field, the kind of the value, and the value; JSON in PostgreSQL has no character 0, which separates them. The
 * workspace comes first, so that a range of terms never reads those of another workspace.
 *
 * Kinds: `p` present; `b` boolean; `n` number; `t` time by UTC; `d` time by the declaration of the field; `s` text;
 * `z` text that reads as a time; `x` text of a number or boolean.
 */
export type TermKind = 'p' | 'b' | 'n' | 't' | 'd' | 's' | 'z' | 'x'

const separator = '\u0000'
/** Values of filters are at most as long; a longer text is in ranges only. */
const maxTextLength = 1_000

export const fieldTerm = (workspaceId: string, field: string, kind: TermKind, value = ''): string =>
  [workspaceId, field, kind + value].join(separator)

/** Returns a text of 16 characters that sorts as the number. */
export function sortableNumber(value: number): string {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleBE(value === 0 ? 0 : value)
  const bits = bytes.readBigUInt64BE()
  const isNegative = bits >> 63n === 1n
  return (isNegative ? ~bits & 0xffffffffffffffffn : bits | (1n << 63n)).toString(16).padStart(16, '0')
}

/** Converts values of the fields whose declaration determines the time: to milliseconds, or to no number. */
export type DeclaredTimes = ReadonlyMap<string, (value: unknown) => unknown>

/** Returns the terms of a row for filters, and those for facets. */
export function termsOfRow(
  workspaceId: string,
  row: Readonly<Record<string, unknown>>,
  declaredTimes: DeclaredTimes,
): { values: string[]; facets: string[] } {
  const values = new Set<string>()
  const facets = new Set<string>()
  for (const [field, value] of Object.entries(row)) {
    if (value === null) continue
    const add = (kind: TermKind, text?: string) => values.add(fieldTerm(workspaceId, field, kind, text))
    if (value !== '') add('p')
    const declaredTime = declaredTimes.get(field)
    for (const member of Array.isArray(value) ? listMembers(value) : [value]) {
      for (const [kind, text] of termsOfValue(member)) add(kind, text)
      const time = declaredTime?.(member)
      if (typeof time === 'number') add('d', sortableNumber(time))
      if (isCountable(member)) facets.add(facetTerm(workspaceId, field, member))
    }
  }
  return { values: [...values], facets: [...facets] }
}

function termsOfValue(value: unknown): [TermKind, string][] {
  if (typeof value === 'number')
    return [
      ['n', sortableNumber(value)],
      ['x', String(value)],
    ]
  if (typeof value === 'boolean')
    return [
      ['b', String(value)],
      ['x', String(value)],
    ]
  if (typeof value !== 'string') return []
  if (isTimestampText(value)) {
    const time = utcTimeOf(value)
    return Number.isNaN(time)
      ? [['z', value]]
      : [
          ['z', value],
          ['t', sortableNumber(time)],
        ]
  }
  const text: [TermKind, string] = ['s', limitText(value)]
  if (/^(?:true|false)$/i.test(value)) return [text, ['b', value.toLowerCase()]]
  return isNumberText(value) ? [text, ['n', sortableNumber(Number(value))]] : [text]
}

/** Returns the milliseconds since 1970 of a timestamp, which is in UTC unless it says otherwise. */
export const utcTimeOf = (timestamp: string): number => toTimestampMs((ms) => ms, timestamp)

/**
 * Returns the text as in a term: a text that was cut off equals no value of a filter, and sorts behind its beginning.
 */
const limitText = (value: string): string =>
  value.length <= maxTextLength ? value : `${value.slice(0, maxTextLength).toWellFormed()}${separator}`

type FacetValue = string | number | boolean

/** Returns the term of a value that facets count: it sorts as the text of the value. */
export const facetTerm = (workspaceId: string, field: string, value: FacetValue): string =>
  [workspaceId, field, String(value), typeof value].join(separator)

/** Returns the value of such a term. */
export function facetValue(term: string): FacetValue {
  const [, , text = '', type] = term.split(separator)
  if (type === 'number') return Number(text)
  return type === 'boolean' ? text === 'true' : text
}

/** Returns a regular expression of Lucene for the facet terms of a field. */
export const facetPattern = (workspaceId: string, field: string): string =>
  `${[workspaceId, field, ''].join(separator).replaceAll(/[^\p{L}\p{N}_]/gu, (character) => `\\${character}`)}.*`
