import { problem } from '@wp/contracts'
import { detectDelimiter } from '../../parsers/csv/csv-row.ts'
import { malformed } from '../problems.ts'
import { type FoundTable, findHeader, headerOfNames } from './find-header.ts'
import { type SampleRecord, sampleRecords } from './sample-records.ts'

/** The layout of delimited text. */
export interface DelimitedLayout {
  delimiter: string
  header: SampleRecord
  usesCarriageReturns: boolean
}

interface LayoutOptions {
  /** False if the text continues. */
  isWhole: boolean
  delimiter: string | undefined
  headerRow: number | undefined
  /** Names of the columns of the files before. */
  names: readonly string[]
}

const commonDelimiters = [',', ';', '\t', '|']
const rareDelimiters = ['^', '~', '\u0001', '\u001f', '¦', '§', '#', '!', '*']
const maxRecords = 300
/** A delimiter must divide this share of the rows into as many cells as the header has. */
const minFitting = 0.5
/** Fewer rows do not show that the header is another line. */
const minCheckedRows = 10
const minRareFitting = 0.95
const goodShare = 0.9

/** Detects delimiter and header row of delimited text, as far as they are not pinned. @throws Problem */
export function detectLayout(sample: string, { isWhole, delimiter, headerRow, names }: LayoutOptions): DelimitedLayout {
  const usesCarriageReturns = /^[^\n]*\r[^\n]/.test(sample) && !/^[^\n]*\r\n/.test(sample)
  const text = usesCarriageReturns ? sample.replaceAll('\r', '\n') : sample
  const [sepLine, stated] = /^"?sep=([^\r\n])"?\r?\n/i.exec(text) ?? []
  const firstLine = sepLine === undefined ? 1 : 2
  const recordsFor = (candidate: string) => sampleRecords(text, candidate, { maxRecords, firstLine, isWhole })
  const given = delimiter ?? stated
  const layoutFor = (candidate: string, header: SampleRecord) => ({ delimiter: candidate, header, usesCarriageReturns })
  if (headerRow !== undefined) {
    // The line of the names is known, so a header that cannot be told from values is no question.
    const candidate = given ?? bestDelimiter(text, recordsFor, false)?.delimiter ?? delimiterOfHeader(text, headerRow)
    const [known] = sampleRecords(text, candidate, { maxRecords: 1, firstLine: headerRow, isWhole })
    const header = headerOfNames(known, recordsFor(candidate), names) ?? known
    if (header === undefined && text.trim() === '') throw malformed('The CSV cannot be read: it has no header row')
    if (header === undefined) throw malformed(`The text has no line ${headerRow}, which \`format.header_row\` names`)
    return layoutFor(candidate, header)
  }
  const candidate = given ?? bestDelimiter(text, recordsFor)?.delimiter ?? delimiterOfHeader(text, firstLine)
  const records = recordsFor(candidate)
  if (records.length === 0) throw malformed('The CSV cannot be read: it has no header row')
  const found = findHeader(records)
  if (found === 'dataFirst') throw withoutHeader(records[0])
  if (found !== undefined && 'candidates' in found) throw ambiguousHeader(found.candidates)
  if (found === undefined) throw withoutTable(records)
  if (found.header.cells.length === 1) checkQuotedLines(found.header, records)
  if (found.following >= minCheckedRows && found.fitting < found.following * minFitting)
    throw malformed(
      `The header on line ${found.header.line} has ${found.header.cells.length} columns, but only ${found.fitting} of the next ${found.following} rows do; name the line with the names of the columns in \`format.header_row\``,
    )
  return layoutFor(candidate, found.header)
}

const maxReported = 100

/** Returns the problem of a text without a table, with the reason if most of its lines are malformed. */
function withoutTable(records: readonly SampleRecord[]) {
  const faulty = records.filter(({ reason }) => reason !== undefined)
  const [first] = faulty
  if (first === undefined || faulty.length * 2 <= records.length)
    return malformed('The CSV cannot be read: it has no header row')
  const text = first.cells.join(' | ').slice(0, maxReported)
  return malformed(
    `Most lines cannot be read: line ${first.line} ${first.reason} (${text}). Write a quote within a field twice, and the field in quotes`,
  )
}

/** @throws Problem if each line stands in quotes as a whole, so that its columns are one */
function checkQuotedLines({ cells: [header = ''] }: SampleRecord, records: readonly SampleRecord[]): void {
  const used = commonDelimiters.find((delimiter) => {
    const width = header.split(delimiter).length
    const fitting = records.filter(({ cells }) => cells.length === 1 && cells[0]?.split(delimiter).length === width)
    return width > 1 && fitting.length >= Math.max(2, records.length * goodShare)
  })
  if (used !== undefined)
    throw malformed(
      'Each line stands in quotes as a whole, so all of its columns are one. Remove the quotes around the lines',
    )
}

interface Candidate extends FoundTable {
  delimiter: string
}

/** Returns the delimiter that divides most rows into as many cells as the header; undefined if none divides them. */
function bestDelimiter(
  text: string,
  recordsFor: (delimiter: string) => SampleRecord[],
  asksForHeader = true,
): Candidate | undefined {
  const used = (delimiters: readonly string[]) => delimiters.filter((delimiter) => text.includes(delimiter))
  const candidates = [
    ...used(commonDelimiters).flatMap((delimiter) => candidateFor(delimiter, recordsFor, minFitting)),
    ...used(rareDelimiters).flatMap((delimiter) => candidateFor(delimiter, recordsFor, minRareFitting)),
  ].sort(
    (a, b) =>
      Number(share(b) >= goodShare) - Number(share(a) >= goodShare) ||
      // A delimiter that skips less finds the header that another one takes for a line before the table.
      a.header.line - b.header.line ||
      share(b) - share(a) ||
      b.typedColumns - a.typedColumns,
  )
  const [first, second] = candidates
  if (first !== undefined && second !== undefined && isAsGood(first, second)) throw ambiguousDelimiter(first, second)
  if (first !== undefined && asksForHeader)
    for (const delimiter of used(commonDelimiters)) checkEarlierHeader(first, recordsFor(delimiter))
  if (first !== undefined || !asksForHeader) return first
  for (const delimiter of used(commonDelimiters)) {
    const found = findHeader(recordsFor(delimiter))
    if (found === 'dataFirst') throw withoutHeader(recordsFor(delimiter)[0])
    if (found !== undefined && 'candidates' in found && found.candidates.every(({ cells }) => cells.length > 1))
      throw ambiguousHeader(found.candidates)
  }
  return undefined
}

/** @throws Problem if another delimiter divides all rows alike, and has several headers before that of the best one */
function checkEarlierHeader({ header }: Candidate, records: readonly SampleRecord[]): void {
  const found = findHeader(records)
  const candidates = found !== undefined && typeof found === 'object' && 'candidates' in found ? found.candidates : []
  const [earliest] = candidates
  if (earliest === undefined || earliest.line >= header.line || earliest.cells.length < header.cells.length) return
  if (records.every(({ cells }) => cells.length === earliest.cells.length)) throw ambiguousHeader(candidates)
}

function candidateFor(
  delimiter: string,
  recordsFor: (delimiter: string) => SampleRecord[],
  minShare: number,
): Candidate[] {
  const found = findHeader(recordsFor(delimiter))
  if (found === undefined || found === 'dataFirst' || 'candidates' in found || found.header.cells.length < 2) return []
  return share(found) < minShare ? [] : [{ delimiter, ...found }]
}

const isAsGood = (one: Candidate, other: Candidate): boolean =>
  share(one) === share(other) && one.header.line === other.header.line && one.typedColumns === other.typedColumns

/** Shares are compared in steps, so that a few damaged rows do not decide. */
const share = ({ fitting, following }: FoundTable): number =>
  following === 0 ? 1 : Math.round((fitting / following) * 50) / 50

/** Returns the delimiter of the first line; in a table with one column, a character that the text does not contain. */
function delimiterOfHeader(text: string, firstLine: number): string {
  const lines = text.split('\n', firstLine + maxBlankLines).slice(firstLine - 1)
  const header = lines.find((line) => line.trim() !== '') ?? ''
  const used = commonDelimiters.filter((delimiter) => header.includes(delimiter) && delimiter !== '|')
  if (used.length > 0) return detectDelimiter(header)
  return commonDelimiters.find((delimiter) => !text.includes(delimiter)) ?? ','
}

const maxBlankLines = 20

function ambiguousDelimiter(one: Candidate, other: Candidate) {
  const read = ({ delimiter, header }: Candidate) =>
    `with ${JSON.stringify(delimiter)} the columns are ${header.cells.map((cell) => `"${cell.trim()}"`).join(', ')}`
  const detail = `has two possible values: ${read(one)}; ${read(other)}. Set \`format.delimiter\``
  return problem('ambiguous_format', { detail: `The delimiter ${detail}`, errors: [{ pointer: '/delimiter', detail }] })
}

/** Returns the problem of several records that could be the header, with the line of each. */
export function ambiguousHeader(candidates: readonly SampleRecord[]) {
  const lines = candidates.slice(0, 3).map(({ line, cells }) => `line ${line}: ${cells.join(' | ').slice(0, 100)}`)
  const detail = `is one of ${lines.join('; ')}. Set \`format.header_row\` to its line`
  return problem('ambiguous_format', {
    detail: `The header row ${detail}`,
    errors: [{ pointer: '/header_row', detail }],
  })
}

/** Returns the problem of a table whose first line has values instead of the names of the columns. */
export function withoutHeader(first: SampleRecord | undefined) {
  const line = (first?.cells ?? []).join(' | ').slice(0, 100)
  const detail = `has values where the names of the columns are expected: ${line}. Add a line with the names, or name their line in \`format.header_row\``
  return problem('ambiguous_format', {
    detail: `Line ${first?.line ?? 1} ${detail}`,
    errors: [{ pointer: '/header_row', detail: `Line ${first?.line ?? 1} ${detail}` }],
  })
}
