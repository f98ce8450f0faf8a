/** One row of an upload: what it says, or why it could not be read. */
export type Row = ValidRow | InvalidRow

export interface ValidRow {
  /** The line the row begins on, from 1. */
  line: number
  /** Its place in a JSON array, from 1: there a line may hold many. */
  element?: number
  /** The page it is on, from 1, where a source has pages. */
  page?: number
  value: Record<string, unknown>
}

export interface InvalidRow {
  line: number
  reason: string
  /** What the row says in its key field, where that could be read: the record it was stays. */
  key?: string
}

/** Finds the rows in a text that arrives in pieces. Holds no more of it than a row and a piece. */
export interface RowParser {
  /**
   * Takes the next piece; answers the rows that are complete with it.
   * @throws Problem `malformed_body` when this is not a text of the format at all
   */
  write(text: string): Row[]
  /**
   * The text is over; answers what was still open.
   * @throws Problem `malformed_body` when nothing in the whole text could be read
   */
  end(): Row[]
}

/** Largest row, in bytes of its JSON text (UTF-8). */
export const maxRowBytes = 262_144

/** Why a row beyond the limit is refused. */
export const rowTooLarge = `is larger than ${maxRowBytes / 1024} KiB`

/** Why a row that was read cannot be taken, with where it stands beside its line. */
export function withPosition({ element, page }: ValidRow, reason: string): string {
  const within = element === undefined ? reason : `element ${element}: ${reason}`
  return page === undefined ? within : `page ${page}: ${within}`
}

/** How many newlines a stretch of text holds. */
export function countNewlines(text: string, from = 0, to = text.length): number {
  let count = 0
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) count++
  return count
}
