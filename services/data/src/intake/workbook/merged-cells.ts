import type { ZipArchive } from '../container/zip-archive.ts'
import { malformed } from '../problems.ts'

/** Cells of one column that are merged over several rows. Only the first has a value, which is that of all. */
export interface MergedCells {
  /** Position of the column, from 0. */
  column: number
  firstRow: number
  lastRow: number
}

const maxMergedCells = 200_000
/** Longest element that names merged cells. */
const maxElementLength = 200

/**
 * Reads which cells of a sheet are merged over rows, by their first row. A sheet names them after its rows, so this
 * searches its text before the rows are read; it is not parsed twice.
 * @throws Problem `malformed_body`
 */
export async function readMergedCells(archive: ZipArchive, path: string): Promise<MergedCells[]> {
  const entry = archive.entries.get(path)
  const merged: MergedCells[] = []
  if (entry === undefined) return merged
  let rest = ''
  for await (const chunk of archive.read(entry)) {
    const text = rest + Buffer.from(chunk).toString('latin1')
    for (const found of text.matchAll(mergedCell)) {
      const cells = toMergedCells(found)
      if (cells !== undefined && merged.push(cells) > maxMergedCells)
        throw malformed(`A sheet has more than ${maxMergedCells} merged cells`)
    }
    const open = text.lastIndexOf('<')
    rest = open === -1 || text.includes('>', open) ? '' : text.slice(Math.max(open, text.length - maxElementLength))
  }
  return merged.sort((one, other) => one.firstRow - other.firstRow)
}

const mergedCell = /<(?:\w{1,20}:)?mergeCell\s[^<>]{0,100}?ref="([A-Z]{1,3})(\d{1,7}):[A-Z]{1,3}(\d{1,7})"/g

function toMergedCells([, name = '', first, last]: RegExpExecArray): MergedCells | undefined {
  const [firstRow, lastRow] = [Number(first), Number(last)]
  const column = [...name].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
  return lastRow > firstRow ? { column, firstRow, lastRow } : undefined
}

/**
 * Returns a function that sets the values of merged cells in the rows of a sheet, which it takes in their order.
 * @param onNumber is called with the position of a column in which a number is set
 */
export function createMergedCellFiller(
  merged: readonly MergedCells[],
  onNumber: (column: number) => void,
): (row: { line: number; cells: unknown[] }) => void {
  let next = 0
  let open: (MergedCells & { value: unknown })[] = []
  return ({ line, cells }) => {
    if (open.length > 0) open = open.filter(({ lastRow }) => lastRow >= line)
    for (const { column, value } of open) {
      while (cells.length <= column) cells.push(null)
      if (typeof value === 'number') onNumber(column)
      cells[column] ??= value
    }
    for (let at = merged[next]; at !== undefined && at.firstRow <= line; at = merged[++next])
      if (at.firstRow === line) open.push({ ...at, value: cells[at.column] ?? null })
  }
}
