import { valueFieldKey } from '@wp/contracts'
import type { InputPoint, InputSeries } from '../../forecast/index.ts'
import { createTimeReader, type TimeReader } from './read-times.ts'
import { hiddenCell, type Unusable, UnusableRows } from './unusable-rows.ts'

/** The columns of a run. Cells of a row are in the order times, values, groups. */
export interface RowColumns {
  times: readonly string[]
  /** None if rows are counted. */
  values: readonly string[]
  groups: readonly string[]
  /** True if each column of values is a series whose key names it. */
  isWide: boolean
  /** True if values are not read as numbers: a row counts if it has one. */
  isCount: boolean
  /** The format of the times; default ISO 8601. */
  format: string | undefined
}

/** A series while its rows are read. */
export interface SeriesGroup extends Pick<InputSeries, 'key' | 'points'> {
  unusable: UnusableRows
}

/** A point whose value can be read in two ways, until another value of the column decides. */
interface AmbiguousPoint {
  group: SeriesGroup
  point: InputPoint
  column: number
  cell: unknown
}

/** Divides the rows of a data source into series. */
export class SeriesRows {
  readonly #columns: RowColumns
  readonly #groups = new Map<string, SeriesGroup[]>()
  readonly #times: TimeReader
  readonly #numbers: readonly NumberReader[]
  readonly #ambiguous: AmbiguousPoint[] = []
  #hidesCells = false

  constructor(columns: RowColumns) {
    this.#columns = columns
    this.#times = createTimeReader(columns.times, columns.format)
    this.#numbers = columns.values.map(createNumberReader)
  }

  get seriesCount(): number {
    return this.#groups.size * this.#seriesPerGroup
  }

  get #seriesPerGroup(): number {
    return Math.max(1, this.#columns.values.length)
  }

  /** Keeps the cells of all rows out of warnings and errors. */
  hideCells(): void {
    this.#hidesCells = true
  }

  add(cells: readonly unknown[]): void {
    const { times, values, isCount } = this.#columns
    const groups = this.#groupsOf(cells.slice(times.length + values.length))
    const time = this.#times.read(cells.slice(0, times.length))
    for (const [column, group] of groups.entries()) {
      const cell = values.length === 0 ? true : cells[times.length + column]
      const reading = isCount ? countedOf(cell) : (this.#numbers[column]?.read(cell) ?? null)
      if (!('ts' in time)) {
        // A row without a time and a value is an empty one, such as the last line of a sheet.
        if (time.reason === 'time_missing' && reading === null) group.points.push({ ts: '', value: null })
        else this.#addUnusable(group, time)
      } else this.#addValue(group, column, time.ts, cell, reading)
    }
  }

  /**
   * Returns the series after the last row, and warnings about all of them.
   * @param refused the rows that the data source does not have; those of a single series are counted as its own
   * @throws JobFailure, see `TimeReader`
   */
  finish(refused: number): { groups: SeriesGroup[]; warnings: string[] } {
    const warnings = this.#times.finish()
    const unusable = new Set<InputPoint>()
    for (const { group, point, column, cell } of this.#ambiguous) {
      if (this.#numbers[column]?.isDecimalProved() === true) continue
      unusable.add(point)
      this.#addUnusable(group, { reason: 'value_ambiguous', column: this.#columns.values[column] ?? '', cell })
    }
    const groups = [...this.#groups.values()].flat()
    if (unusable.size > 0)
      for (const group of groups) group.points = group.points.filter((point) => !unusable.has(point))
    const [only] = this.#groups.values()
    if (only === undefined || refused === 0) return { groups, warnings }
    if (this.#groups.size === 1) for (const { unusable } of only) unusable.addRefused(refused)
    else warnings.push(`${refused} rows of the data source were refused when they were read, maybe of this series.`)
    return { groups, warnings }
  }

  #addValue(group: SeriesGroup, column: number, ts: string, cell: unknown, reading: NumberReading): void {
    if (reading === 'unreadable') {
      this.#addUnusable(group, { reason: 'value_unreadable', column: this.#columns.values[column] ?? '', cell })
      return
    }
    const point = { ts, value: reading === 'ambiguous' ? Number(cell) : reading }
    group.points.push(point)
    if (reading === 'ambiguous') this.#ambiguous.push({ group, point, column, cell })
  }

  #addUnusable({ unusable }: SeriesGroup, row: Unusable): void {
    unusable.add(this.#hidesCells ? { ...row, cell: hiddenCell } : row)
  }

  #groupsOf(cells: readonly unknown[]): SeriesGroup[] {
    const { groups, values, isWide } = this.#columns
    const keyValues = cells.map((value) => (value === null || value === undefined ? '' : String(value)))
    const name = JSON.stringify(keyValues)
    const existing = this.#groups.get(name)
    if (existing !== undefined) return existing
    const key = groups.map((field, index) => [field, keyValues[index] ?? ''])
    const created = Array.from({ length: this.#seriesPerGroup }, (_, column): SeriesGroup => {
      const own = isWide ? [[valueFieldKey, values[column] ?? '']] : []
      return { key: Object.fromEntries([...key, ...own]), points: [], unusable: new UnusableRows() }
    })
    this.#groups.set(name, created)
    return created
  }
}

function countedOf(cell: unknown): NumberReading {
  if (cell === null || cell === undefined || (typeof cell === 'string' && cell.trim() === '')) return null
  // In a column of true and false, the true ones are counted.
  return cell === false ? 0 : 1
}

/** A number, an empty cell, or the reason for which a cell is neither. */
type NumberReading = number | null | 'unreadable' | 'ambiguous'

/** A decimal number as in JSON, also with a sign, or without digits on one side of the point. */
const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i
/** Either a number below 1,000 with three decimals, or one above with a mark for thousands: `1.386`. */
const grouped = /^[+-]?[1-9]\d{0,2}\.\d{3}$/
/**
 * A text in which a point, if there is one, can only be a decimal point: `12.5`, `0.386`; or one without marks: `1386`.
 */
const undivided = /^[+-]?(?:\d*\.(?:\d{0,2}|\d{4,})|0\.\d+|\d{4,}(?:\.\d*)?)$/

/** Reads the numbers of one column. */
interface NumberReader {
  read(cell: unknown): NumberReading
  /** True once a value has shown that the point of the column is a decimal point. */
  isDecimalProved(): boolean
}

/** Numbers of JSON are read as they are; of texts, only those that can be read in one way. */
export function createNumberReader(): NumberReader {
  let isProved = false
  return {
    read(cell) {
      if (cell === null || cell === undefined) return null
      if (typeof cell === 'number') {
        if (!Number.isInteger(cell)) isProved = true
        return Number.isFinite(cell) ? cell : 'unreadable'
      }
      if (typeof cell !== 'string') return 'unreadable'
      const text = cell.trim()
      if (text === '') return null
      if (!decimal.test(text)) return 'unreadable'
      if (undivided.test(text)) isProved = true
      const number = Number(text)
      if (!Number.isFinite(number)) return 'unreadable'
      return !isProved && grouped.test(text) ? 'ambiguous' : number
    },
    isDecimalProved: () => isProved,
  }
}
