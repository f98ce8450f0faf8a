/** The reason for which a row is not used. */
export type IgnoredReason = 'time_missing' | 'time_unreadable' | 'value_unreadable'

/** The columns of a run, and the format of its times if it is not ISO 8601. */
export interface ColumnNames {
  time: string
  value: string
  format?: string | undefined
}

/** Rows of one series that are not used: their number by reason, with the first unreadable value. */
export class IgnoredRows {
  readonly #counts = new Map<IgnoredReason, { count: number; example: string }>()

  add(reason: IgnoredReason, cell: unknown): void {
    const known = this.#counts.get(reason)
    if (known === undefined) this.#counts.set(reason, { count: 1, example: exampleOf(cell) })
    else known.count += 1
  }

  /** Returns the first unreadable value; undefined if there is none. */
  exampleOf(reason: IgnoredReason): string | undefined {
    return this.#counts.get(reason)?.example
  }

  /** Returns one warning for each reason. */
  warnings({ time, value, format }: ColumnNames): string[] {
    const kind = format === undefined ? 'time' : `time of the format \`${format}\``
    return [...this.#counts].map(([reason, { count, example }]) => {
      const rows = count === 1 ? '1 row was' : `${count} rows were`
      if (reason === 'time_missing') return `${rows} ignored: \`${time}\` is empty.`
      return reason === 'time_unreadable'
        ? `${rows} ignored: \`${time}\` holds no ${kind}: ${example}.`
        : `${rows} ignored: \`${value}\` holds no number: ${example}.`
    })
  }
}

const maxExampleLength = 40

/** Quotes a value for a message. */
function exampleOf(cell: unknown): string {
  const text = (typeof cell === 'string' ? cell : (JSON.stringify(cell) ?? '')).replaceAll(/\p{Cc}+/gu, ' ')
  return `'${text.length > maxExampleLength ? `${text.slice(0, maxExampleLength)}…` : text}'`.toWellFormed()
}
