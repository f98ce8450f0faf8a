/** One row of an upload or a source: its value, or the reason why it is invalid. */
export type Row = ValidRow | InvalidRow

export interface ValidRow {
  /** The line the row begins on, from 1. */
  line: number
  /** Its position in a JSON array, from 1: a line may hold many elements. */
  element?: number
  /** The page it is on, from 1, of a source with pages. */
  page?: number
  /** Its sheet, of a workbook of which several are read. */
  sheet?: string
  value: Record<string, unknown>
  /** The key of its record where the format has one and the source names no key field. */
  key?: string
  /** The key of its record in place of the value of the key field; see `RowProtection.ownKeyOf`. */
  ownKey?: string
}

export interface InvalidRow {
  line: number
  reason: string
  /** True for a row below the table, such as its totals: the data are complete without it. */
  isFooter?: true
  /** The value of its key field, if that could be read: the record of that key is kept. */
  key?: string
  /** The column of the value that cannot be read, and that value as it is in the file. */
  column?: string
  badValue?: string
}

/** Parses rows from a text that arrives in chunks. Keeps no more of it than one row and one chunk. */
export interface RowParser {
  /**
   * Parses the next chunk and returns the rows it completes.
   * @throws Problem `malformed_body` if the text is not of the format at all
   */
  write(text: string): Row[]
  /**
   * Ends the text and returns the rows that were still open.
   * @throws Problem `malformed_body` if no row of the whole text is valid
   */
  end(): Row[]
  /** Returns the errors that a top-level member beside the rows lists, as JSON; undefined if there are none. */
  errors?(): string | undefined
}

/** Largest row, in bytes of its JSON text (UTF-8). */
export const maxRowBytes = 262_144

/** The reason of a row beyond `maxRowBytes`. */
export const rowTooLarge = `is larger than ${maxRowBytes / 1024} KiB`

/** Returns the reason of a rejected row, prefixed with its page or sheet, and element number. */
export function withPosition({ element, page, sheet }: Omit<ValidRow, 'value'>, reason: string): string {
  const ofElement = element === undefined ? reason : `element ${element}: ${reason}`
  const within = sheet === undefined ? ofElement : `sheet "${sheet}": ${ofElement}`
  return page === undefined ? within : `page ${page}: ${within}`
}

/** Counts the newlines of `text` from offset `from` up to `to`. */
export function countNewlines(text: string, from = 0, to = text.length): number {
  let count = 0
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) count++
  return count
}
