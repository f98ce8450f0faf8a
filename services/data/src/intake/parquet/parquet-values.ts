import type { ParquetParsers, SchemaElement } from 'hyparquet'
import { ErrorCell, TimeCell } from '../raw-table.ts'

/** A time of a Parquet file in nanoseconds since 1970, local or UTC according to its column. */
class ParquetTime {
  readonly nanoseconds: bigint
  readonly isDate: boolean
  constructor(nanoseconds: bigint, isDate = false) {
    this.nanoseconds = nanoseconds
    this.isDate = isDate
  }
}

/** Parsers that lose no digits of times; the default ones cut them to milliseconds. */
export const parquetParsers: Partial<ParquetParsers> = {
  timestampFromMilliseconds: (value) => time(value, 1_000_000n),
  timestampFromMicroseconds: (value) => time(value, 1_000n),
  timestampFromNanoseconds: (value) => time(value, 1n),
  dateFromDays: (days) => (typeof days === 'number' ? new ParquetTime(BigInt(days) * 86_400_000_000_000n, true) : days),
}

const time = (value: bigint, unit: bigint) => (typeof value === 'bigint' ? new ParquetTime(value * unit) : value)

/**
 * Returns the function that converts the values of a column to cells. A time of the old type INT96 does not state its
 * zone: Spark and Hive, which write by parquet-mr, write UTC; others, such as Impala, the wall clock.
 */
export function createValueReader(element: SchemaElement, writer = ''): (value: unknown) => unknown {
  const { logical_type: logical, converted_type: converted, type } = element
  const isUtc =
    logical?.type === 'TIMESTAMP'
      ? logical.isAdjustedToUTC
      : /^TIMESTAMP/.test(converted ?? '') || (type === 'INT96' && writer.startsWith('parquet-mr'))
  if (logical?.type === 'TIME' || /^TIME_/.test(converted ?? '')) return createTimeOfDayReader(element)
  if (converted === 'DECIMAL') return createDecimalReader(element)
  if (type === 'FLOAT')
    return (value) => (typeof value === 'number' ? toFinite(shortestFloat(value)) : toCell(value, isUtc))
  return (value) => toCell(value, isUtc)
}

function toCell(value: unknown, isUtc: boolean): unknown {
  if (value === null || value === undefined) return null
  if (typeof value === 'number') return toFinite(value)
  if (typeof value === 'bigint') return toInteger(value)
  if (value instanceof ParquetTime) return new TimeCell(timeText(value, isUtc))
  return typeof value === 'object' ? toJson(value, isUtc) : value
}

/** Values in lists and structures. */
function toJson(value: object, isUtc: boolean): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex')
  if (value instanceof Date) return value.toISOString()
  const member = (item: unknown) => {
    const cell = toCell(item, isUtc)
    return cell instanceof TimeCell || cell instanceof ErrorCell ? cell.text : cell
  }
  if (Array.isArray(value)) return value.map(member)
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, member(item)]))
}

const toInteger = (value: bigint): number | string =>
  value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : String(value)

function toFinite(value: number): unknown {
  if (Number.isFinite(value)) return value
  return Number.isNaN(value) ? null : new ErrorCell(String(value))
}

/** Returns the shortest number that is the same single-precision value: 0.1 rather than 0.10000000149. */
function shortestFloat(value: number): number {
  for (let digits = 6; digits <= 9; digits++) {
    const short = Number(value.toPrecision(digits))
    if (Math.fround(short) === value) return short
  }
  return value
}

function createDecimalReader({ scale = 0 }: SchemaElement): (value: unknown) => unknown {
  return (value) => {
    if (typeof value !== 'number') return null
    // Beyond, a double does not hold all digits of a decimal.
    return Math.abs(value) * 10 ** scale < Number.MAX_SAFE_INTEGER
      ? value
      : new ErrorCell('a decimal with more digits than a number holds exactly')
  }
}

function timeText({ nanoseconds, isDate }: ParquetTime, isUtc: boolean): string {
  const day = 86_400_000_000_000n
  const inDay = ((nanoseconds % day) + day) % day
  const date = new Date(Number((nanoseconds - inDay) / 1_000_000n)).toISOString().slice(0, 10)
  return isDate ? date : `${date}T${clockText(inDay)}${isUtc ? 'Z' : ''}`
}

function createTimeOfDayReader({ logical_type: logical, converted_type: converted }: SchemaElement) {
  const unit = logical?.type === 'TIME' ? logical.unit : converted === 'TIME_MILLIS' ? 'MILLIS' : 'MICROS'
  const factor = unit === 'MILLIS' ? 1_000_000n : unit === 'MICROS' ? 1_000n : 1n
  return (value: unknown): unknown =>
    typeof value === 'number' || typeof value === 'bigint' ? clockText(BigInt(value) * factor) : null
}

function clockText(nanoseconds: bigint): string {
  const seconds = Number(nanoseconds / 1_000_000_000n)
  const fraction = String(nanoseconds % 1_000_000_000n)
    .padStart(9, '0')
    .replace(/0+$/, '')
  const two = (number: number) => String(number).padStart(2, '0')
  const clock = `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
  return fraction === '' ? clock : `${clock}.${fraction}`
}
