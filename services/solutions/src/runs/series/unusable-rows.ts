import { quoteValue } from '../quote-value.ts'

/** A row that cannot be used: the reason, and the column and cell at fault. */
export interface Unusable {
  reason: 'time_missing' | 'time_unreadable' | 'value_unreadable' | 'value_ambiguous'
  column: string
  cell: unknown
}

/** Stands for a cell of restricted records, which no message may quote. */
export const hiddenCell = Symbol('hidden cell')

interface Reason extends Pick<Unusable, 'column'> {
  /** `refused`: the data service did not store the row. */
  reason: Unusable['reason'] | 'refused'
  count: number
  /** The first cell, quoted. */
  example: string
}

/** Reasons that a message lists. */
const maxListed = 3

/** The rows of a series, or of a run, that cannot be used: their number by reason and column, with the first cell. */
export class UnusableRows {
  readonly #reasons = new Map<string, Reason>()

  get count(): number {
    return [...this.#reasons.values()].reduce((sum, { count }) => sum + count, 0)
  }

  add({ reason, column, cell }: Unusable): void {
    this.#addReason(reason, column, 1, () => (cell === hiddenCell ? 'a value that is not shown' : quoteValue(cell)))
  }

  /** Adds rows that the data source does not have, since they were refused when its files were read. */
  addRefused(count: number): void {
    if (count > 0) this.#addReason('refused', '', count, () => '')
  }

  get refusedCount(): number {
    return this.#reasons.get(nameOf('refused', ''))?.count ?? 0
  }

  /** Adds the rows of a series to those of a run. */
  addAll(other: UnusableRows): void {
    for (const { reason, column, count, example } of other.#reasons.values())
      this.#addReason(reason, column, count, () => example)
  }

  #addReason(reason: Reason['reason'], column: string, count: number, exampleOf: () => string): void {
    const name = nameOf(reason, column)
    const known = this.#reasons.get(name)
    if (known === undefined) this.#reasons.set(name, { reason, column, count, example: exampleOf() })
    else known.count += count
  }

  /** Returns the first example of a reason; undefined if no row has it. */
  exampleOf(reason: Unusable['reason']): Pick<Reason, 'column' | 'example'> | undefined {
    return [...this.#reasons.values()].find((known) => known.reason === reason)
  }

  /** Returns one warning for each reason. @param format of the times, if it is not ISO 8601 */
  warnings(format: string | undefined): string[] {
    return [...this.#reasons.values()].map(
      (reason) =>
        `${countText(reason.count)} ${reason.count === 1 ? 'was' : 'were'} ignored: ${describe(reason, format)}.`,
    )
  }

  /** Returns the most frequent reasons as sentences: "350 rows: `time` holds no time: '13/01/2024'." */
  summary(format: string | undefined): string {
    return [...this.#reasons.values()]
      .toSorted((a, b) => b.count - a.count)
      .slice(0, maxListed)
      .map((reason) => `${countText(reason.count)}: ${describe(reason, format)}.`)
      .join(' ')
  }
}

const nameOf = (reason: Reason['reason'], column: string): string => `${reason} ${column}`

const countText = (count: number): string => (count === 1 ? '1 row' : `${count.toLocaleString('en')} rows`)

function describe({ reason, column, example }: Reason, format: string | undefined): string {
  if (reason === 'refused') return 'refused when the data source was read, as its upload or sync lists'
  if (reason === 'time_missing') return `\`${column}\` is empty`
  if (reason === 'value_unreadable') return `\`${column}\` holds no number: ${example}`
  if (reason === 'value_ambiguous')
    return `\`${column}\` holds a number that can be read with a decimal point or a mark for thousands: ${example}`
  return `\`${column}\` holds no ${format === undefined ? 'time' : `time of the format \`${format}\``}: ${example}`
}
