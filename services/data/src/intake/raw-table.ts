import type { SourceFileType, SourceFormat } from '@wp/contracts'
import type { InvalidRow, Row } from '../parsers/row.ts'

/** A cell that is a time, as a workbook or Parquet file has them: RFC 3339, local without offset. */
export class TimeCell {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** A cell of a workbook that holds an error, such as `#REF!`. */
export class ErrorCell {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** Returns the text of a cell, the empty one for none. */
export function textOfCell(cell: unknown): string {
  if (cell === null || cell === undefined) return ''
  return cell instanceof TimeCell || cell instanceof ErrorCell ? cell.text : String(cell)
}

/** Returns true for a cell without a value. */
export const isEmptyCell = (cell: unknown): boolean =>
  cell === null || cell === undefined || (typeof cell === 'string' && cell.trim() === '')

/** A row as it is in the file: texts, and the values of files with types. */
export type RawRow =
  | {
      line: number
      cells: unknown[]
      /** As of `ValidRow`. */
      sheet?: string
      key?: string
      ownKey?: string
    }
  | InvalidRow

export interface IntakeWarning {
  code: string
  message: string
  column?: string
}

/** Warnings of a code about the sheets of a workbook. */
const maxSheetWarnings = 20

/** Returns a function that adds a warning about a sheet, unless there are many such. @param label of the sheet */
export const sheetWarnings = (warnings: IntakeWarning[], label: string) => (warning: IntakeWarning) => {
  if (warnings.filter(({ code }) => code === warning.code).length < maxSheetWarnings)
    warnings.push({ ...warning, message: `Sheet ${label}: ${warning.message}` })
}

/** Code and text of a warning about a column; undefined for none. */
export type Remark = readonly [code: string, text: string] | undefined

/** A table whose container, encoding and header are known, and whose columns are not decided yet. */
export interface RawTable {
  format: SourceFormat & { type: SourceFileType }
  columns: RawColumn[]
  warnings: IntakeWarning[]
  /** Names of the sheets of a workbook. */
  sheets?: string[] | undefined
  /** Position of the column with the name of the sheet of each row, if several are read. */
  sheetColumn?: number
  /** The delimiter of the cells, which makes quotes necessary around cells with it. */
  delimiter?: string | undefined
  rows(): AsyncGenerator<RawRow[]>
}

export interface RawColumn {
  name: string
  /** True for a column without a name and without values: a value in it refuses its row. */
  isDropped: boolean
  /** The name in the header, if the column has another one because that name occurs before. */
  repeats?: string
}

/** Rows of JSON, which have their own names. */
export interface JsonTable {
  format: SourceFormat & { type: SourceFileType }
  warnings: IntakeWarning[]
  rows(): AsyncGenerator<Row[]>
}
