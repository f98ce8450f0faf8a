import { problem } from '@wp/contracts'
import { malformed } from '../problems.ts'
import { type FoundTable, findHeader } from './find-header.ts'
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
}

const commonDelimiters = [',', ';', '\t', '|']
const rareDelimiters = ['^', '~', '\u0001', '\u001f', '¦', '§', '#', '!', '*']
const maxRecords = 300
/** A delimiter must divide this share of the rows into as many cells as the header has. */
const minFitting = 0.5

/** Detects delimiter and header row of delimited text, as far as they are not pinned. @throws Problem */
export function detectLayout(sample: string, { isWhole, delimiter, headerRow }: LayoutOptions): DelimitedLayout {
  const usesCarriageReturns = /^[^\n]*\r[^\n]/.test(sample) && !/^[^\n]*\r\n/.test(sample)
  const text = usesCarriageReturns ? sample.replaceAll('\r', '\n') : sample
  const [sepLine, stated] = /^"?sep=([^\r\n])"?\r?\n/i.exec(text) ?? []
  const firstLine = sepLine === undefined ? 1 : 2
  const recordsFor = (candidate: string) => sampleRecords(text, candidate, { maxRecords, firstLine, isWhole })
  const known = delimiter ?? stated
  const layoutFor = (candidate: string, header: SampleRecord) => ({ delimiter: candidate, header, usesCarriageReturns })
  if (headerRow !== undefined) {
    const candidate = known ?? bestDelimiter(text, recordsFor)?.delimiter ?? ','
    const header = sampleRecords(text, candidate, { maxRecords: 1, firstLine: headerRow, isWhole })[0]
    if (header === undefined) throw malformed(`The text has no line ${headerRow}, which \`format.header_row\` names`)
    return layoutFor(candidate, header)
  }
  const candidate = known ?? bestDelimiter(text, recordsFor)?.delimiter ?? unusedDelimiter(text)
  const records = recordsFor(candidate)
  if (records.length === 0) throw malformed('The CSV cannot be read: it has no header row')
  const found = findHeader(records)
  if (found === 'dataFirst') throw withoutHeader(records[0])
  if (found === undefined) throw malformed('The CSV cannot be read: it has no header row')
  if (found.following > 0 && found.fitting < found.following * minFitting)
    throw malformed(
      `The header on line ${found.header.line} has ${found.header.cells.length} columns, but only ${found.fitting} of the next ${found.following} rows do; name the line with the names of the columns in \`format.header_row\``,
    )
  return layoutFor(candidate, found.header)
}

interface Candidate extends FoundTable {
  delimiter: string
}

/** Returns the delimiter that divides most rows into as many cells as the header; undefined if none divides them. */
function bestDelimiter(text: string, recordsFor: (delimiter: string) => SampleRecord[]): Candidate | undefined {
  for (const delimiters of [commonDelimiters, rareDelimiters]) {
    const candidates = delimiters
      .filter((delimiter) => text.includes(delimiter))
      .flatMap((delimiter): Candidate[] => {
        const found = findHeader(recordsFor(delimiter))
        if (found === undefined || found === 'dataFirst' || found.header.cells.length < 2) return []
        return found.following > 0 && found.fitting < found.following * minFitting ? [] : [{ delimiter, ...found }]
      })
      .sort((a, b) => share(b) - share(a) || b.typedColumns - a.typedColumns)
    const [first, second] = candidates
    if (first === undefined) continue
    if (second !== undefined && share(first) === share(second) && first.typedColumns === second.typedColumns)
      throw ambiguousDelimiter(first, second)
    return first
  }
  const headerless = commonDelimiters.find(
    (delimiter) => text.includes(delimiter) && findHeader(recordsFor(delimiter)) === 'dataFirst',
  )
  if (headerless !== undefined) throw withoutHeader(recordsFor(headerless)[0])
  return undefined
}

/** Shares are compared in steps, so that a few damaged rows do not decide. */
const share = ({ fitting, following }: FoundTable): number =>
  following === 0 ? 1 : Math.round((fitting / following) * 50)

const unusedDelimiter = (text: string): string => commonDelimiters.find((delimiter) => !text.includes(delimiter)) ?? ','

function ambiguousDelimiter(one: Candidate, other: Candidate) {
  const read = ({ delimiter, header }: Candidate) =>
    `with ${JSON.stringify(delimiter)} the columns are ${header.cells.map((cell) => `"${cell.trim()}"`).join(', ')}`
  const detail = `has two possible values: ${read(one)}; ${read(other)}. Set \`format.delimiter\``
  return problem('ambiguous_format', { detail: `The delimiter ${detail}`, errors: [{ pointer: '/delimiter', detail }] })
}

function withoutHeader(first: SampleRecord | undefined) {
  const line = (first?.cells ?? []).join(' | ').slice(0, 100)
  const detail = `has values where the names of the columns are expected: ${line}. Add a line with the names, or name their line in \`format.header_row\``
  return problem('ambiguous_format', {
    detail: `Line ${first?.line ?? 1} ${detail}`,
    errors: [{ pointer: '/header_row', detail: `Line ${first?.line ?? 1} ${detail}` }],
  })
}
