import { type IntakeWarning, type RawRow, type RawTable, textOfCell } from '../raw-table.ts'

/**
 * Refuses the rows of a second table below the first one, from the names of its columns on: words below an empty line,
 * where all values above have digits. A title may stand above them. The same names again are no other table.
 * @param columns of the first table
 * @param addWarning is called with a warning about a second one
 */
export async function* withoutTablesBelow(
  batches: AsyncGenerator<RawRow[]>,
  columns: RawTable['columns'],
  addWarning: (warning: IntakeWarning) => void,
): AsyncGenerator<RawRow[]> {
  // Of each column, true while all of its values have digits.
  const areDigits: (boolean | undefined)[] = []
  let lastLine: number | undefined
  let begin: number | undefined
  const pass = (row: RawRow): RawRow => {
    if ('reason' in row) {
      // A row that cannot be read may have several lines.
      lastLine = undefined
      return row
    }
    if (begin !== undefined) return { line: row.line, reason: `is of another table, which begins on line ${begin}` }
    const filled = row.cells
      .map((cell, at) => ({ text: textOfCell(cell).trim(), at }))
      .filter(({ text }) => text !== '')
    const areWords = filled.every(({ text }) => !/\d/.test(text))
    const isAfterGap = lastLine !== undefined && row.line > lastLine + 1
    const isTitle = isAfterGap && filled.length === 1 && areWords
    const isName = filled.every(({ text, at }) => text === columns[at]?.name)
    if (isAfterGap && !isTitle && !isName && areWords && filled.some(({ at }) => areDigits[at] === true)) {
      begin = row.line
      const message = `Line ${begin} has words below an empty line, as the names of another table: the rows from there on are not read. To read them too, move them to a sheet or file of their own`
      addWarning({ code: 'table_below', message })
      return pass(row)
    }
    if (!isTitle) lastLine = row.line + row.cells.join('').split('\n').length - 1
    for (const { text, at } of filled) areDigits[at] = (areDigits[at] ?? true) && /\d/.test(text)
    return row
  }
  for await (const batch of batches) yield batch.map(pass)
}
