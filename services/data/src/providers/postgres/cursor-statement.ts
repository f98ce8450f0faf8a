import { escapeIdentifier } from 'pg'

/** What a query of a user is read through. Only a query can stand there, and only one. */
export interface Statement {
  text: string
  values: string[]
}

/** The cursor every statement declares; the one before must have been closed. */
export const cursorName = 'rows_of_source'

const before = `DECLARE ${cursorName} NO SCROLL CURSOR FOR SELECT * FROM (\n`
/** The line break ends a comment at the query's end. */
const after = '\n) AS q'

/** Declares a cursor over all a query gives, in the order it likes. */
export const declareCursorSql = (query: string): Statement => ({
  text: `${before}${stripTrailingSemicolons(query)}${after}`,
  values: [],
})

export interface CursorRange {
  column: string
  /** As PostgreSQL writes it; undefined: from the beginning. */
  value: string | undefined
  /** Whether rows without a value are to come as well, behind all others. */
  includeNulls: boolean
  /** What the value is, for a time of which `overlapSeconds` are taken. */
  timeType: string | undefined
  overlapSeconds: number
}

/**
 * Declares a cursor over what a query gives from a value of a column on, that value included, so that rows which share
 * it are never lost; those without a value come last, or not at all where an earlier crawl has read them. The value
 * takes the column's own type, so that no digit of it is lost on the way.
 */
export function declareOrderedCursorSql(
  query: string,
  { column, value, includeNulls, timeType, overlapSeconds }: CursorRange,
): Statement {
  const { text } = declareCursorSql(query)
  const place = `q.${escapeIdentifier(column)}`
  if (value === undefined) return { text: `${text} ORDER BY ${place}`, values: [] }
  const from =
    timeType === undefined || overlapSeconds === 0 ? '$1' : `$1::${timeType} - make_interval(secs => ${overlapSeconds})`
  const empty = includeNulls ? ` OR ${place} IS NULL` : ''
  return { text: `${text} WHERE ${place} >= ${from}${empty} ORDER BY ${place}`, values: [value] }
}

/**
 * Without the semicolon it ends with, also where a comment follows. Were that semicolon within a text, a name or a
 * comment, what closes these would have to follow: so nothing that could is taken for a comment.
 */
const stripTrailingSemicolons = (query: string): string => query.replace(/;(?:[\s;]|--[^\n'"$*]*(?:\n|$))*$/, '')

/** Where in a user's query PostgreSQL found something, in words; nothing where it was not in there. */
export function describePosition(query: string, position: string | undefined): string {
  const at = Number(position ?? Number.NaN) - 1 - before.length
  const characters = [...query]
  if (!(at >= 0 && at <= characters.length)) return ''
  const lines = characters.slice(0, at).join('').split('\n')
  return ` (line ${lines.length}, column ${[...(lines.at(-1) ?? '')].length + 1} of the query)`
}
