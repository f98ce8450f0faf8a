import { scanMarkedNumber, unitKey } from '../number/marked-number.ts'
import type { NumberFormat } from '../number/marks.ts'
import { compileNumberReader } from '../number/number-reader.ts'
import { compileColumnTimes } from '../time/timestamp-reader.ts'

/** Returns the value of a text: null for no value, undefined if it is not of the type of the column. */
export type CellReader = (text: string) => string | number | null | undefined

interface CellReaderOptions {
  /** Further texts that stand for no value. */
  nulls: ReadonlySet<string>
  /** Is called for each text that stands for no value. */
  onNull: (text: string) => void
}

/**
 * Compiles the reader of a column of numbers: of those with its unit and zero, if it has one, else of those without.
 */
export function compileNumberCells(
  format: NumberFormat & { allowsLeadingZeros?: boolean; unit?: string | undefined },
  options: CellReaderOptions,
): CellReader {
  const read = compileNumberReader(format, format)
  const key = unitKey(format.unit ?? '')
  return withNulls((text) => {
    const plain = read(text)
    if (plain !== undefined) return key === '' || plain === 0 ? plain : undefined
    const marked = scanMarkedNumber(text)
    return marked !== undefined && unitKey(marked.unit) === key ? read(marked.number) : undefined
  }, options)
}

/**
 * Compiles the reader of a column of times, which tries its formats in turn.
 * @throws TimestampFormatError
 */
export function compileTimeCells(formats: readonly string[], options: CellReaderOptions): CellReader {
  const readers = formats.map(compileColumnTimes)
  const [first, ...others] = readers
  if (first === undefined) return withNulls(() => undefined, options)
  if (others.length === 0) return withNulls(first, options)
  return withNulls((text) => {
    let value = first(text)
    for (let at = 0; value === undefined && at < others.length; at++) value = others[at]?.(text)
    return value
  }, options)
}

function withNulls(
  read: (text: string) => string | number | undefined,
  { nulls, onNull }: CellReaderOptions,
): CellReader {
  const hasNulls = nulls.size > 0
  return (cell) => {
    if (cell === '') return null
    if (hasNulls && nulls.has(cell.trim())) {
      onNull(cell.trim())
      return null
    }
    const value = read(cell)
    if (value !== undefined) return value
    const text = cell.trim()
    if (text === '') return null
    if (isNullWord(text)) {
      onNull(text)
      return null
    }
    return text === cell || isErrorValue(text) ? undefined : read(text)
  }
}

/** Texts that stand for no value in columns of numbers and times, in lower case. */
const nullWords: ReadonlySet<string> = new Set([
  ...[
    'n/a',
    'na',
    'n.a.',
    'n. a.',
    '#n/a',
    '#n/d',
    '#n/b',
    '#i/t',
    '#н/д',
    '<na>',
    'null',
    '(null)',
    '\\n',
    'none',
    'nil',
    'nan',
    '-nan',
    'nat',
  ],
  ...['-', '--', '---', '–', '—', '.', '..', '...', '?', 'k.a.', 'k. a.', 'ka', 'k.a', 'keine angabe', 'unknown'],
  ...['missing', 'not available', 'n.d.', 'n/d', 's.o.', 's/o', '#null!'],
  // No date as of SAP and MySQL, and no end as people write it.
  ...['#nv', '00.00.0000', '00000000', '0000-00-00', 'unbefristet', 'unbegrenzt', 'unlimited', 'indefinite'],
  'open end',
])

const maxLength = 14
/** Returns true for a text that stands for no value in a column of numbers or times. */
export const isNullWord = (text: string): boolean => text.length <= maxLength && nullWords.has(text.toLowerCase())
const noNames: ReadonlySet<string> = new Set([
  ...['#n/a', '#nv', '#n/d', '#n/b', '#i/t', '#н/д', 'n/a', '<na>', '(null)', '\\n', '-', '--', '---', '–', '—', '?'],
])

/** Returns true for a text that names no one: an error of a spreadsheet, or a word of programs. Null is a surname. */
export const isNoName = (text: string): boolean =>
  text === 'NULL' || text === 'null' || noNames.has(text.toLowerCase()) || isErrorValue(text)

const errorValues: ReadonlySet<string> = new Set([
  ...['#ref!', '#value!', '#div/0!', '#name?', '#num!', '#spill!', '#calc!', '#getting_data', '#wert!', '#bezug!'],
  ...['#name!', '#zahl!', '#valeur!', '#nom?', '#nombre!', '#valor!', '#valore!', '#nome?', '#nv!'],
])

/** Errors of spreadsheets in any language, such as `#ÜBERLAUF!` and `#¿NOMBRE?`. */
const errorValue = /^#(?:[¡¿]?[\p{Lu}\d/_]{2,20}[!?]|#{2,})$/u

/** Returns true for an error of a spreadsheet, which is no value of any column. */
export const isErrorValue = (text: string): boolean =>
  text.charCodeAt(0) === 35 && (errorValues.has(text.toLowerCase()) || errorValue.test(text))
