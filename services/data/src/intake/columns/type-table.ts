import type { SourceFormat } from '@wp/contracts'
import { type Row, withPosition } from '../../parsers/row.ts'
import type { RowProtection } from '../../privacy/row-protection.ts'
import type { FieldDeclarations } from '../../schema/declared-fields.ts'
import { ambiguousFormat } from '../problems.ts'
import { type IntakeWarning, type JsonTable, type RawRow, type RawTable, sheetWarnings } from '../raw-table.ts'
import { besideWarning } from '../table-beside.ts'
import { createTableEvidence } from './collect-evidence.ts'
import { type ColumnPlan, planColumns } from './column-plan.ts'
import { createRowConverter } from './convert-rows.ts'
import { checkExchangedDates } from './exchanged-dates.ts'
import { createFooterFilter } from './footers.ts'
import { formatToPin } from './format-to-pin.ts'
import { createLateCheck } from './late-check.ts'
import { checkPinnedColumns, checkReadable, lostColumns, unprovenDates } from './pinned-columns.ts'
import { createTableGuard, type TableGuard } from './table-guard.ts'
import { withoutTablesBelow } from './tables-below.ts'
import { columnWarnings } from './warnings/column-warnings.ts'

/** A table whose columns are decided. */
export interface TypedTable {
  format: SourceFormat
  /** Those of later rows are added when all rows are read. */
  warnings: IntakeWarning[]
  plans: ColumnPlan[]
  /** Texts that were read as no value so far, by column. */
  nulls: ReadonlyMap<string, ReadonlySet<string>>
  rows(): AsyncGenerator<Row[]>
}

interface TypeOptions {
  /** The known part of the format. */
  format: SourceFormat
  declarations: FieldDeclarations
  keyField?: string | undefined
  protection?: RowProtection | undefined
}

/** Rows by which columns are decided, unless they stay ambiguous. */
const sampleRows = 20_000
const sampleCharacters = 4_194_304
/** The rows that decide are kept in memory: at most this many samples. */
const maxSamples = 16

/**
 * Decides the types and formats of the columns of a table by its first rows, and by further ones, up to a bound, while
 * these have two readings. Longer than most functions: it is the list of the decisions, in their order.
 * @throws Problem `ambiguous_format`, `unexpected_format`, `malformed_body`
 */
export async function typeTable(table: RawTable | JsonTable, options: TypeOptions): Promise<TypedTable> {
  const { format, keyField, protection } = options
  const nulls = new Set(format.nulls)
  const guard = protection && createTableGuard(table, protection, nulls, keyField)
  const hidesValues = guard !== undefined
  const columns = guard?.columns ?? ('columns' in table ? table.columns : undefined)
  if (columns !== undefined) checkPinnedColumns(columns, format)
  const evidence = createTableEvidence({
    columns,
    delimiter: 'delimiter' in table ? table.delimiter : undefined,
    nulls,
  })
  const batches = guardedRows(table, guard)
  const sample: (RawRow | Row)[] = []
  let isOver = false

  let size = 0
  async function readTo(rows: number, characters: number): Promise<void> {
    while (!isOver && sample.length < rows && size < characters) {
      const next = await batches.next()
      if (next.done === true) isOver = true
      else {
        evidence.addRows(next.value)
        for (const row of next.value) {
          sample.push(row)
          size += lengthOf(row)
        }
      }
    }
  }

  function plan() {
    const declarations = guard?.declare(options.declarations) ?? options.declarations
    return planColumns(evidence.columns, { format, declarations, isJson: columns === undefined, keyField })
  }
  await readTo(sampleRows, sampleCharacters)
  guard?.assertColumnsFound()
  let planned = plan()
  for (let read = 2; planned.ambiguities.length > 0 && !isOver && read <= maxSamples; read *= 2) {
    await readTo(sampleRows * read, sampleCharacters * read)
    planned = plan()
  }
  // Dates such as 01/01/2024 alone are the same in either order, and the next file may show theirs.
  const open = planned.ambiguities.filter(({ isSame }) => !isSame || !isOver)
  if (open.length > 0) throw ambiguousFormat(open)
  const { plans } = planned
  checkExchangedDates(plans)
  const converter = createRowConverter({ plans, columns: columns ?? [], nulls, keyField, hidesValues })
  const convert = (row: RawRow | Row): Row => {
    // Tables with columns yield raw rows, those of JSON rows with values.
    if (!('cells' in row)) return converter.convertObject(row)
    const converted = converter.convert(row)
    return 'reason' in converted ? { ...converted, reason: withPosition(row, converted.reason) } : converted
  }
  const first = sample.map(convert)
  const shown = (rows: Row[]) => (hidesValues ? rows.map(withoutBadValue) : rows)
  checkReadable(plans, first, format)
  const ofColumns =
    'columns' in table ? [...besideWarning(table.columns, plans, first), ...lostColumns(table.columns, format)] : []
  const warnings = [
    ...table.warnings,
    ...ofColumns,
    ...unprovenDates(plans, format),
    ...columnWarnings(plans, first, protection?.isRestricted),
    ...(guard?.takeWarnings() ?? []),
  ]
  table.warnings.length = 0
  return {
    format: formatToPin(table.format, format, plans),
    warnings,
    plans,
    nulls: converter.nulls,
    async *rows() {
      try {
        for (let at = 0; at < first.length; at += batchRows) yield shown(first.slice(at, at + batchRows))
        first.length = 0
        const check = createLateCheck(plans)
        for await (const batch of batches) {
          const converted = batch.map(convert)
          check(converted)
          yield shown(converted)
        }
        warnings.push(...table.warnings)
      } finally {
        await batches.return(undefined)
      }
    },
  }
}

const batchRows = 1_000

/** Footers are told by what is in the file, so they are found before values are replaced. */
function guardedRows(
  table: RawTable | JsonTable,
  guard: TableGuard | undefined,
): AsyncGenerator<RawRow[]> | AsyncGenerator<Row[]> {
  if (!('columns' in table)) return guard === undefined ? table.rows() : protectAll(guard.read(table.rows()), guard)
  const read = guard === undefined ? table.rows() : guard.read(table.rows())
  const first = table.columns.findIndex(({ isDropped }) => !isDropped)
  // A calendar has events only.
  const isTable = table.format.type !== 'icalendar'
  const rows = isTable
    ? eachSheet(read, table, guard !== undefined, (ofSheet, addWarning) =>
        withoutTablesBelow(withoutFooters(ofSheet, guard !== undefined, first), table.columns, addWarning),
      )
    : read
  return guard === undefined ? rows : protectAll(rows, guard)
}

/**
 * Filters the rows of each sheet of a workbook by themselves, and sets the name of the sheet in its column.
 * @param hidesValues reasons and warnings have the number of the sheet in place of its name, which may be that of a
 * person
 */
async function* eachSheet(
  batches: AsyncGenerator<RawRow[]>,
  { sheetColumn, sheets = [], warnings }: RawTable,
  hidesValues: boolean,
  filter: (batches: AsyncGenerator<RawRow[]>, addWarning: (warning: IntakeWarning) => void) => AsyncGenerator<RawRow[]>,
): AsyncGenerator<RawRow[]> {
  if (sheetColumn === undefined) return yield* filter(batches, (warning) => void warnings.push(warning))
  try {
    let next = await batches.next()
    while (next.done !== true) {
      const name = sheetOf(next.value)
      const sheet = hidesValues ? `${sheets.indexOf(name) + 1}` : name
      async function* ofSheet() {
        for (; next.done !== true && sheetOf(next.value) === name; next = await batches.next()) yield next.value
      }
      for await (const batch of filter(ofSheet(), sheetWarnings(warnings, hidesValues ? sheet : `"${name}"`)))
        yield batch.map((row) => {
          if (!('cells' in row)) return { ...row, reason: withPosition({ line: row.line, sheet }, row.reason) }
          row.cells[sheetColumn] = name
          row.sheet = sheet
          return row
        })
    }
  } finally {
    // An early end closes the filters only.
    await batches.return(undefined)
  }
}

const sheetOf = ([first]: readonly RawRow[]): string => (first !== undefined && 'cells' in first && first.sheet) || ''

async function* protectAll<R extends RawRow | Row>(batches: AsyncGenerator<R[]>, guard: TableGuard) {
  for await (const batch of batches) yield batch.map(guard.protect)
}

/** A row with a missing cell may have the value of a protected column in any other. */
function withoutBadValue(row: Row): Row {
  if (!('badValue' in row)) return row
  const { badValue: _badValue, ...shown } = row
  return shown
}

async function* withoutFooters(
  batches: AsyncGenerator<RawRow[]>,
  hidesValues: boolean,
  firstColumn: number,
): AsyncGenerator<RawRow[]> {
  const footers = createFooterFilter(hidesValues, firstColumn)
  for await (const batch of batches) {
    const ready = footers.add(batch)
    if (ready.length > 0) yield ready
  }
  const last = footers.end()
  if (last.length > 0) yield last
}

function lengthOf(row: RawRow | Row): number {
  if (!('cells' in row)) return 100
  let length = 0
  for (const cell of row.cells) length += typeof cell === 'string' ? cell.length + 8 : 16
  return length
}
