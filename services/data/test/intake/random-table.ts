import fc from 'fast-check'
import { type Dialect, type WrittenCell, type WrittenTable, writeTable } from './write-table.ts'

const dialect: fc.Arbitrary<Dialect> = fc
  .record({
    delimiter: fc.constantFrom(',', ';', '\t', '|', '^'),
    encoding: fc.constantFrom<Dialect['encoding'][]>('utf-8', 'utf-8 with a mark', 'utf-16le', 'windows-1252', 'gzip'),
    newline: fc.constantFrom('\n', '\r\n', '\r'),
    decimal: fc.constantFrom<Dialect['decimal'][]>('.', ','),
    thousands: fc.constantFrom('', '', ',', '.', "'", '’', ' ', '\u00a0', '\u202f', '_'),
    date: fc.constantFrom('D.M.Y', 'D/M/Y', 'M/D/Y', 'Y-M-D', 'D-M-Y', 'Y/M/D', 'D.M.y', 'M/D/y'),
    quoting: fc.constantFrom<Dialect['quoting'][]>('all', 'needed'),
    preamble: fc.constantFrom<string[][]>(
      [],
      [],
      ['Report: Occupancy'],
      ['Report: Occupancy', 'Generated: 2024-02-12 by Facilities', ''],
    ),
    hasSepLine: fc.boolean(),
    footer: fc.constantFrom<Dialect['footer'][]>('none', 'none', 'total', 'note'),
  })
  .map((made) => ({
    ...made,
    thousands: made.thousands === made.decimal || !canEncode(made.thousands, made.encoding) ? '' : made.thousands,
    preamble: made.hasSepLine ? [] : made.preamble,
  }))

const canEncode = (text: string, encoding: Dialect['encoding']) => encoding !== 'windows-1252' || !/[\u202f]/.test(text)

type Column = (dialect: Dialect, row: number) => fc.Arbitrary<WrittenCell>

const group = (digits: string, mark: string) => (mark === '' ? digits : digits.replaceAll(/\B(?=(?:\d{3})+$)/g, mark))

function writeNumber(value: number, decimals: number, { decimal, thousands }: Dialect): string {
  const [whole = '', fraction = ''] = Math.abs(value).toFixed(decimals).split('.')
  return `${value < 0 ? '-' : ''}${group(whole, thousands)}${fraction === '' ? '' : `${decimal}${fraction}`}`
}

const numbers =
  (decimals: number, max: number, min = 0): Column =>
  (written) =>
    fc.integer({ min: min * 10 ** decimals, max: max * 10 ** decimals }).map((scaled) => {
      const value = scaled / 10 ** decimals
      return { written: writeNumber(value, decimals, written), value: Object.is(value, -0) ? 0 : value }
    })

const nullable =
  (column: Column): Column =>
  (written, row) =>
    fc.oneof({ weight: 9, arbitrary: column(written, row) }, { weight: 1, arbitrary: nulls })

const nulls = fc.constantFrom('', 'N/A', '-', 'NULL').map((text): WrittenCell => ({ written: text, value: null }))

const two = (number: number) => String(number).padStart(2, '0')

function writeDate(day: Date, { date }: Dialect): string {
  const parts: Record<string, string> = {
    D: two(day.getUTCDate()),
    M: two(day.getUTCMonth() + 1),
    Y: String(day.getUTCFullYear()),
    y: two(day.getUTCFullYear() % 100),
  }
  return date.replaceAll(/[DMYy]/g, (part) => parts[part] ?? '')
}

const times =
  (style: 'date' | '24' | 'seconds' | '12', stepMinutes: number): Column =>
  (written, row) =>
    fc.integer({ min: 0, max: 0 }).map(() => {
      const at = new Date(Date.UTC(2024, 0, 1) + row * stepMinutes * 60_000)
      const iso = at.toISOString()
      if (style === 'date') return { written: writeDate(at, written), value: iso.slice(0, 10) }
      const hour = at.getUTCHours()
      const clock =
        style === '12'
          ? `${two(hour % 12 === 0 ? 12 : hour % 12)}:${two(at.getUTCMinutes())} ${hour < 12 ? 'AM' : 'PM'}`
          : `${two(hour)}:${two(at.getUTCMinutes())}${style === 'seconds' ? ':00' : ''}`
      return { written: `${writeDate(at, written)} ${clock}`, value: iso.slice(0, 19) }
    })

const randomDates: Column = (written) =>
  fc.integer({ min: 0, max: 3000 }).map((days) => {
    const at = new Date(Date.UTC(2020, 0, 1) + days * 86_400_000)
    return { written: writeDate(at, written), value: at.toISOString().slice(0, 10) }
  })

const asText = (text: string): WrittenCell => ({ written: text, value: text })
const digit = fc.integer({ min: 0, max: 9 })
const words = fc.string({
  unit: fc.constantFrom('a', 'b', 'Z', 'ü', 'é', ' ', ',', ';', '"', '\n', '|', "'"),
  minLength: 1,
  maxLength: 9,
})

/** Texts that look like numbers or times and are none. */
const texts: readonly fc.Arbitrary<string>[] = [
  words.map((word) => `x${word}`),
  fc.tuple(digit, digit, digit).map((digits) => `0${digits.join('')}`),
  fc.tuple(digit, digit, digit, digit).map((parts) => parts.map((part) => part * 25).join('.')),
  fc.tuple(digit, digit).map(([a, b]) => `${a + 1}-${b + 10}`),
  fc.tuple(digit, digit).map(([a, b]) => `${a + 1}/${b + 1}`),
  fc.tuple(digit, digit).map(([a, b]) => `+49 30 ${a}${b}${a}${b} ${b}${a}`),
  fc.tuple(digit, digit).map(([a, b]) => `${a}${b}E${b}`),
  fc.tuple(digit, digit).map(([a, b]) => `0x${a}${b}`),
  fc.tuple(digit, digit).map(([a, b]) => `${a}:${b}0`),
  fc.tuple(digit, digit).map(([a, b]) => `${a}${b} % of ${b}`),
  fc.tuple(digit, digit).map(([a, b]) => `(${a + 1}${b})`),
  fc.tuple(digit, digit).map(([a, b]) => `${a + 1}${b}\u00a0EUR / ${b} USD`),
  fc.constantFrom('true', 'false', 'Infinity', 'yes'),
]

const column: fc.Arbitrary<Column> = fc.oneof(
  fc.constantFrom<Column[]>(
    numbers(0, 99),
    numbers(0, 99_999),
    numbers(0, 9_999_999),
    nullable(numbers(0, 9_999)),
    numbers(1, 5_000),
    numbers(2, 999_999, -999_999),
    numbers(3, 99),
    numbers(3, 5_000),
    nullable(numbers(2, 5_000)),
    numbers(5, 90, -90),
    times('24', 60),
    times('12', 60),
    times('seconds', 15),
    times('date', 1440),
    randomDates,
    nullable(randomDates),
  ),
  fc.constantFrom(...texts).map(
    (text): Column =>
      () =>
        text.map(asText),
  ),
)

/** Tables of one to six columns, written in every combination of dialects. */
export const writtenTable: fc.Arbitrary<WrittenTable> = fc
  .record({
    dialect,
    columns: fc.array(column, { minLength: 1, maxLength: 6 }),
    count: fc.integer({ min: 1, max: 60 }),
  })
  .chain(({ dialect: written, columns, count }) =>
    fc
      .tuple(...Array.from({ length: count }, (_, row) => fc.tuple(...columns.map((make) => make(written, row)))))
      .map((rows) => writeTable(written, rows)),
  )
