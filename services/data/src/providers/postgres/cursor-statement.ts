import { escapeIdentifier } from 'pg'

/** A statement that wraps the query of a user, so that it can only be a single query. */
export interface Statement {
  text: string
  values: string[]
}

/** Name of the cursor. A previous one must be closed before it is declared again. */
export const cursorName = 'rows_of_source'

const prefix = `DECLARE ${cursorName} NO SCROLL CURSOR FOR SELECT * FROM (\n`
/** The line break ends a comment at the end of the query. */
const suffix = '\n) AS q'

/** Declares a cursor over the whole result, in the order of the query. */
export const declareCursorSql = (query: string): Statement => ({
  text: `${prefix}${stripTrailingSemicolons(query)}${suffix}`,
  values: [],
})

export interface CursorRange {
  column: string
  /** First value, as PostgreSQL writes it; undefined for the whole result. */
  value: string | undefined
  /** Includes rows with null in the column, after all others. */
  includesNulls: boolean
  /** Type of a date or timestamp column, from whose value `overlapSeconds` are subtracted. */
  timeType: string | undefined
  overlapSeconds: number
}

/**
 * Declares a cursor over the rows from a value of a column on, inclusive, so that rows with the same value are not
 * lost. Rows with null come last, or not at all if an earlier crawl has read them. The value is compared in the type of
 * the column, without loss of digits.
 */
export function declareOrderedCursorSql(
  query: string,
  { column, value, includesNulls, timeType, overlapSeconds }: CursorRange,
): Statement {
  const { text } = declareCursorSql(query)
  const columnSql = `q.${escapeIdentifier(column)}`
  if (value === undefined) return { text: `${text} ORDER BY ${columnSql}`, values: [] }
  const from =
    timeType === undefined || overlapSeconds === 0 ? '$1' : `$1::${timeType} - make_interval(secs => ${overlapSeconds})`
  const orNull = includesNulls ? ` OR ${columnSql} IS NULL` : ''
  return { text: `${text} WHERE ${columnSql} >= ${from}${orNull} ORDER BY ${columnSql}`, values: [value] }
}

/**
 * Removes the semicolons at the end of a query, also before a comment. A comment with a quote, `$` or `*` is not
 * removed: it may be the end of a string, name or block comment that contains the semicolon.
 */
const stripTrailingSemicolons = (query: string): string => query.replace(/;(?:[\s;]|--[^\n'"$*]*(?:\n|$))*$/, '')

/** Describes the position of an error in the query of the user; empty if the error is outside of it. */
export function describePosition(query: string, position: string | undefined): string {
  const at = Number(position ?? Number.NaN) - 1 - prefix.length
  const characters = [...query]
  if (!(at >= 0 && at <= characters.length)) return ''
  const lines = characters.slice(0, at).join('').split('\n')
  return ` (line ${lines.length}, column ${[...(lines.at(-1) ?? '')].length + 1} of the query)`
}
