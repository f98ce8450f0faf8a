import { Problem, type SourceFormat } from '@wp/contracts'
import type { ZipArchive } from '../container/zip-archive.ts'
import { ambiguousHeader, withoutHeader } from '../delimited/detect-layout.ts'
import { findHeader, headerOfNames } from '../delimited/find-header.ts'
import type { SampleRecord } from '../delimited/sample-records.ts'
import { malformed, unexpectedFormat } from '../problems.ts'
import { type IntakeWarning, textOfCell as textOf } from '../raw-table.ts'
import { readSheet, type SheetRow } from './read-sheet.ts'
import * as warn from './sheet-warnings.ts'
import type { WorkbookParts } from './workbook-parts.ts'

/** Stands in `format.sheet` for all sheets with the same columns. No sheet can have this name. */
export const allSheets = '*'

/** A sheet with a table. */
export interface FoundSheet {
  sheet: WorkbookParts['sheets'][number]
  header: SampleRecord
  sample: SheetRow[]
  /** Positions of hidden columns, from 0. */
  hiddenColumns: ReadonlySet<number>
}

/** Rows of a sheet by which its table is found. */
const sampleRows = 300
/** Hidden columns behind those of any table are not listed. */
const maxHiddenColumns = 1_000
/** A sheet for each day of a year, and some others. */
const maxSheets = 400

/**
 * Finds the sheet to read, or, where `format.sheet` asks for them, all with the same columns.
 * @throws Problem `unexpected_format` if the workbook lacks the pinned sheet, and not one alone has its columns
 */
export async function findSheets(
  archive: ZipArchive,
  parts: WorkbookParts,
  format: SourceFormat,
): Promise<{ sheets: [FoundSheet, ...FoundSheet[]]; warnings: IntakeWarning[] }> {
  const pinned = parts.sheets.filter(({ name }) => name === format.sheet)
  const found = await readTables(archive, pinned.length > 0 ? pinned : parts.sheets, parts, format)
  const shown = found.filter(({ sheet }) => !sheet.isHidden || sheet.name === format.sheet)
  if (format.sheet === allSheets) return alikeSheets(found, shown, parts, format)
  if (format.sheet !== undefined && pinned.length === 0) {
    const renamed = renamedSheet(shown, parts, format)
    return { sheets: [renamed], warnings: [warn.renamedSheet(renamed.sheet.name, format.sheet)] }
  }
  // A list in one column is a table only if no sheet has more.
  const first = shown.find(isWide) ?? shown[0]
  if (first === undefined)
    throw malformed(
      `No sheet of the workbook that is shown has a table with names of columns: ${warn.listNames(
        parts.sheets.map(({ name, isHidden }) => `"${name}"${isHidden ? ' (hidden)' : ''}`),
      )}`,
    )
  const alike = [first, ...shown.filter((one) => one !== first && isAlike(first, one))]
  // A hidden sheet is named if it may be the data, or more of it: lists of choices are shorter.
  const isOther = (one: FoundSheet) =>
    !one.sheet.isHidden || one.sample.length >= first.sample.length || isAlike(first, one)
  const others = found.filter((one) => one !== first && isOther(one) && (isWide(one) || !isWide(first)))
  return { sheets: [first], warnings: warn.otherSheets(first, others, alike.slice(1)) }
}

const isWide = ({ header }: FoundSheet) => header.cells.length > 1

/** Returns the sheets that have a table. Those that are hidden need not have one that can be read. */
async function readTables(
  archive: ZipArchive,
  sheets: WorkbookParts['sheets'],
  parts: WorkbookParts,
  format: SourceFormat,
): Promise<FoundSheet[]> {
  const found: FoundSheet[] = []
  let unclear: SampleRecord[] | undefined
  let data: SampleRecord | undefined
  for (const sheet of sheets) {
    const isAsked = !sheet.isHidden || sheet.name === format.sheet
    const hiddenColumns = new Set<number>()
    const sample = await readSample(archive, sheet.path, parts, hiddenColumns).catch((error: unknown) => {
      if (isAsked || !(error instanceof Problem)) throw error
      return []
    })
    const header = headerOf(sample, format)
    if (Array.isArray(header)) unclear ??= isAsked ? header : undefined
    else if (header === 'dataFirst') data ??= isAsked ? sample.map(toRecord(0))[0] : undefined
    else if (header !== undefined) found.push({ sheet, header, sample, hiddenColumns })
  }
  if (found.some(({ sheet }) => !sheet.isHidden || sheet.name === format.sheet)) return found
  if (unclear !== undefined) throw ambiguousHeader(unclear)
  if (data !== undefined) throw withoutHeader(data)
  return found
}

const namesOf = ({ header }: FoundSheet): Set<string> =>
  new Set(header.cells.map((name) => name.replaceAll(/\s+/g, ' ').trim()).filter((name) => name !== ''))

/** Returns true if a sheet has all columns of the first one, and few others, such as one of remarks. */
function isAlike(first: FoundSheet, other: FoundSheet): boolean {
  const [names, others] = [namesOf(first), namesOf(other)]
  return [...names].every((name) => others.has(name)) && others.size * 2 <= names.size * 3
}

/** Returns the sheets with the columns that most sheets have. */
function alikeSheets(
  found: readonly FoundSheet[],
  shown: readonly FoundSheet[],
  parts: WorkbookParts,
  format: SourceFormat,
) {
  const groups = ofPinned(shown, pinnedNames(format)).map((first) => shown.filter((one) => isAlike(first, one)))
  const [first, ...more] = groups.toSorted((one, other) => other.length - one.length)[0] ?? []
  if (first === undefined) throw unexpectedFormat('No sheet of the workbook has the columns of the files before')
  if (more.length >= maxSheets) throw malformed(`More than ${maxSheets} sheets of the workbook have the same columns`)
  const sheets: [FoundSheet, ...FoundSheet[]] = [first, ...more]
  const hidden = found.filter((one) => isWide(one) || isAlike(first, one)).map(({ sheet }) => sheet)
  // A sheet whose table is not found may be one of them.
  const others = parts.sheets.filter(
    (sheet) => !sheets.some((one) => one.sheet === sheet) && (!sheet.isHidden || hidden.includes(sheet)),
  )
  return { sheets, warnings: [...warn.unreadSheets(sheets.length, others), ...warn.equalSheets(sheets)] }
}

/** Returns the sheets with most of the pinned columns. */
function ofPinned(sheets: readonly FoundSheet[], pinned: readonly string[]): FoundSheet[] {
  const counted = sheets.map((one) => ({ one, count: pinned.filter((name) => namesOf(one).has(name)).length }))
  const having = counted.filter(({ count }) => count * 2 > pinned.length || pinned.length === 0)
  return having.map(({ one }) => one)
}

/** Returns the pinned columns that are in the sheets. */
const pinnedNames = ({ sheet, columns = {} }: SourceFormat): string[] =>
  Object.keys(columns).filter((name) => sheet !== allSheets || !/^Sheet(?:_\d+)?$/.test(name))

/** Returns the only sheet with the columns of one that was renamed, as those of months are. */
function renamedSheet(shown: readonly FoundSheet[], parts: WorkbookParts, format: SourceFormat) {
  const names = pinnedNames(format)
  const most = names.length === 0 ? [] : ofPinned(shown, names)
  const all = most.filter((one) => names.every((name) => namesOf(one).has(name)))
  const having = all.length > 0 ? all : most
  const [only, ...others] = having
  if (only !== undefined && others.length === 0) return only
  const listed = (having.length > 0 ? having.map((one) => one.sheet) : parts.sheets).map(({ name }) => `"${name}"`)
  const reason =
    having.length > 0
      ? `several sheets have its columns: ${warn.listNames(listed)}. Set \`format.sheet\` to one of them, or to "${allSheets}" for all`
      : `its sheets are ${warn.listNames(listed)}`
  throw unexpectedFormat(`The workbook has no sheet "${format.sheet}"; ${reason}`)
}

async function readSample(
  archive: ZipArchive,
  path: string,
  parts: WorkbookParts,
  hidden: Set<number>,
): Promise<SheetRow[]> {
  const sample: SheetRow[] = []
  const onHidden = (first: number, last: number) => {
    for (let column = first; column <= Math.min(last, maxHiddenColumns); column++) hidden.add(column)
  }
  for await (const batch of readSheet(archive, path, parts, onHidden)) {
    sample.push(...batch.slice(0, sampleRows - sample.length))
    if (sample.length >= sampleRows) break
  }
  return sample
}

/** Returns the header of a sheet, the records that could be it, or what it has instead; undefined without a table. */
function headerOf(
  sample: readonly SheetRow[],
  format: SourceFormat,
): SampleRecord | SampleRecord[] | 'dataFirst' | undefined {
  const records = sample.map(toRecord(0))
  const { header_row: pinned } = format
  if (pinned !== undefined)
    return headerOfNames(
      records.find(({ line }) => line === pinned),
      records,
      pinnedNames(format),
    )
  const widest = Math.max(0, ...records.map(({ cells }) => cells.length))
  const found = findHeader(sample.map(toRecord(widest)))
  if (found === undefined || found === 'dataFirst') return records.length > 1 ? found : undefined
  if ('candidates' in found) return found.candidates
  if (found.following === 0) return undefined
  return records.find(({ line }) => line === found.header.line)
}

/** Rows of a sheet end with their last cell, so short ones are filled up. */
export const toRecord =
  (width: number) =>
  ({ line, cells }: SheetRow): SampleRecord => ({
    line,
    cells: Array.from({ length: Math.max(width, cells.length) }, (_, at) => textOf(cells[at])),
  })
