import { setImmediate } from 'node:timers/promises'
import type { SourceFormat } from '@wp/contracts'
import type { ZipArchive } from '../container/zip-archive.ts'
import { malformed, unexpectedFormat } from '../problems.ts'
import type { IntakeWarning } from '../raw-table.ts'
import { allSheets, pinnedNames, readTables, type SheetTable } from './sheet-tables.ts'
import * as warn from './sheet-warnings.ts'
import type { WorkbookParts } from './workbook-parts.ts'

interface ChosenSheets {
  sheets: [SheetTable, ...SheetTable[]]
  warnings: IntakeWarning[]
}

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
): Promise<ChosenSheets> {
  const pinned = parts.sheets.filter(({ name }) => name === format.sheet)
  const found = await readTables(archive, pinned.length > 0 ? pinned : parts.sheets, parts, format)
  const shown = found.filter(({ sheet }) => !sheet.isHidden || sheet.name === format.sheet)
  if (format.sheet === allSheets) return await alikeSheets(found, parts, format)
  if (format.sheet !== undefined && pinned.length === 0) {
    const renamed = renamedSheet(shown, parts, format)
    return { sheets: [renamed], warnings: [warn.renamedSheet(renamed)] }
  }
  const [first] = asWide(shown)
  if (first === undefined)
    throw malformed(
      `No sheet of the workbook that is shown has a table with names of columns: ${warn.listNames(
        parts.sheets.map(({ label, isHidden }) => `${label}${isHidden ? ' (hidden)' : ''}`),
      )}`,
    )
  const all = shown.length > maxSheets ? [] : await sameTable(found, [])
  const same = all.includes(first) ? all.filter((one) => one !== first) : []
  const alike = same.filter(({ sheet }) => !sheet.isHidden)
  // A hidden sheet is named if it may be the data, or more of it: lists of choices are shorter.
  const isOther = (one: SheetTable) =>
    !one.sheet.isHidden || one.sample.length >= first.sample.length || same.includes(one)
  const others = found.filter((one) => one !== first && isOther(one) && (isWide(one) || !isWide(first)))
  return { sheets: [first], warnings: warn.otherSheets(first, others, alike) }
}

const isWide = ({ header }: SheetTable) => header.cells.length > 1

/** A list in one column is a table only if no sheet has more. */
const asWide = (sheets: readonly SheetTable[]) => (sheets.some(isWide) ? sheets.filter(isWide) : sheets)

/** Returns true if a sheet has all columns of the first one, and few others, such as one of remarks. */
const isAlike = ({ names }: SheetTable, { names: others }: SheetTable): boolean =>
  others.size >= names.size && others.size * 2 <= names.size * 3 && [...names].every((name) => others.has(name))

/**
 * Returns the sheets that are one table, also hidden ones with the columns of one that is shown. Of several groups of
 * sheets with the same columns it is the one whose columns are the most like the pinned ones, if it has most of these.
 * Else it is the group of the sheet that is read alone, or else the largest.
 */
async function sameTable(found: readonly SheetTable[], pinned: readonly string[]): Promise<SheetTable[]> {
  const isShown = ({ sheet }: SheetTable) => !sheet.isHidden
  const shown = asWide(found.filter(isShown))
  const groups: { members: SheetTable[]; likeness: number; isFirst: boolean; size: number }[] = []
  const same = Map.groupBy(shown, ({ names }) => JSON.stringify([...names].sort()))
  for (const [leader] of same.values()) {
    if (leader === undefined) continue
    // Hundreds of different sheets are compared in a second or more.
    await setImmediate()
    const members = found.filter((one) => (!isShown(one) || shown.includes(one)) && isAlike(leader, one))
    const names = new Set(members.flatMap((one) => [...one.names]))
    const count = pinned.filter((name) => names.has(name)).length
    const likeness = pinned.length === 0 ? 0 : count / (names.size + pinned.length - count)
    const isFirst = members.length > 1 && members.find(isShown) === shown[0]
    const size = members.filter(isShown).length
    if (count * 2 > pinned.length || pinned.length === 0) groups.push({ members, likeness, isFirst, size })
  }
  const [best] = groups.sort(
    (one, other) =>
      other.likeness - one.likeness || Number(other.isFirst) - Number(one.isFirst) || other.size - one.size,
  )
  return best?.members ?? []
}

/** Returns the sheets that are one table. */
async function alikeSheets(
  found: readonly SheetTable[],
  parts: WorkbookParts,
  format: SourceFormat,
): Promise<ChosenSheets> {
  const shown = found.filter(({ sheet }) => !sheet.isHidden).length
  if (shown > maxSheets)
    throw malformed(`The workbook has ${shown} sheets with tables; at most ${maxSheets} are read as one`)
  const same = await sameTable(found, pinnedNames(format))
  const [first, ...more] = same.filter(({ sheet }) => !sheet.isHidden)
  if (first === undefined) throw unexpectedFormat('No sheet of the workbook has the columns of the files before')
  const sheets: ChosenSheets['sheets'] = [first, ...more]
  const hidden = found.filter((one) => isWide(one) || same.includes(one)).map(({ sheet }) => sheet)
  // A sheet whose table is not found may be one of them.
  const others = parts.sheets.filter(
    (sheet) => !sheets.some((one) => one.sheet === sheet) && (!sheet.isHidden || hidden.includes(sheet)),
  )
  return { sheets, warnings: [...warn.unreadSheets(sheets.length, others), ...warn.equalSheets(sheets)] }
}

/** Returns the only sheet with the columns of one that was renamed, as those of months are. */
function renamedSheet(shown: readonly SheetTable[], parts: WorkbookParts, format: SourceFormat) {
  const pinned = pinnedNames(format)
  const having = shown.filter(({ names }) => pinned.length > 0 && pinned.every((name) => names.has(name)))
  const [only, ...others] = having
  if (only !== undefined && others.length === 0) return only
  const listed = warn.listLabels(only === undefined ? parts.sheets : having.map(({ sheet }) => sheet))
  const reason =
    only === undefined
      ? `none has all columns of the files before; its sheets are ${listed}`
      : `several sheets have its columns: ${listed}. Set \`format.sheet\` to one of them, or to "${allSheets}" for all`
  throw unexpectedFormat(`The workbook has no sheet "${format.sheet}"; ${reason}`)
}
