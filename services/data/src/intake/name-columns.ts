import { malformed } from './problems.ts'
import type { IntakeWarning, RawColumn } from './raw-table.ts'

/** Largest number of columns of a table. */
const maxColumns = 1_000
const maxNameLength = 200

/**
 * Names the columns of a table by its header. A column without a name and without values is dropped; one with values is
 * named by its position. A name that occurs again is joined with the group above it, or else gets a number.
 * @param hasValues returns true if the column has a value in the first rows
 * @param above the row right above the header, which may name groups of columns, and columns that have no other name
 * @throws Problem `malformed_body` if a name cannot be used
 */
export function nameColumns(
  row: readonly string[],
  hasValues: (column: number) => boolean,
  above: readonly string[] = [],
): { columns: RawColumn[]; warnings: IntakeWarning[] } {
  if (row.length > maxColumns) throw malformed(`The table has ${row.length} columns; at most ${maxColumns} are read`)
  const warnings: IntakeWarning[] = []
  const grouped = joinGroups(row, above)
  const header = grouped?.names ?? row
  if (grouped !== undefined)
    warnings.push({
      code: 'grouped_columns',
      message: `Names of columns that occur more than once are joined with the groups in the row above, as in "${grouped.example}"`,
    })
  const named = above.filter((name) => name.trim() !== '').length
  const used = new Set(header.map((name) => name.trim()).filter((name) => name !== ''))
  const seen = new Set<string>()
  const columns = header.map((cell, index): RawColumn => {
    const name = cell
      .replaceAll(/^[\s\u200b\u2060]+|(?<![\s\u200b\u2060])[\s\u200b\u2060]+$/g, '')
      .replaceAll(/\s+/g, ' ')
    checkName(name, index)
    if (name === '') {
      if (!hasValues(index)) return { name: '', isDropped: true }
      // A cell over both rows of a header stands in the upper one; a title stands alone.
      const upper = named > 1 ? (above[index] ?? '').trim().slice(0, maxNameLength) : ''
      const given = freeName(upper === '' ? `column_${index + 1}` : upper, used)
      warnings.push({
        code: 'unnamed_column',
        message: `Column ${index + 1} has no name; it is named "${given}"${upper === '' ? '' : ', as in the row above'}`,
        column: given,
      })
      return { name: given, isDropped: false }
    }
    if (!seen.has(name)) {
      seen.add(name)
      return { name, isDropped: false }
    }
    const given = freeName(`${name}_2`, used)
    warnings.push({
      code: 'repeated_column',
      message: `Two columns are named "${name}"; column ${index + 1} is named "${given}"`,
      column: given,
    })
    return { name: given, isDropped: false, repeats: name }
  })
  if (columns.every(({ isDropped }) => isDropped)) throw malformed('The CSV cannot be read: it has no header row')
  return { columns, warnings }
}

/** Joins repeated names with the groups above them; undefined unless each of them is then of its own. */
function joinGroups(
  row: readonly string[],
  above: readonly string[],
): { names: string[]; example: string } | undefined {
  const counts = new Map<string, number>()
  for (const cell of row) counts.set(cell.trim(), (counts.get(cell.trim()) ?? 0) + 1)
  let group = ''
  const names = row.map((cell, at) => {
    group = above[at]?.trim() || group
    const name = cell.trim()
    if (name === '') return above[at]?.trim() ?? ''
    return (counts.get(name) ?? 0) > 1 && group !== '' ? `${group} ${name}` : name
  })
  const example = names.find((name, at) => row[at]?.trim() && name !== row[at]?.trim())
  const filled = names.filter((name) => name !== '')
  return example === undefined || new Set(filled).size < filled.length ? undefined : { names, example }
}

function checkName(name: string, index: number): void {
  if (/[\0\ufffd]/.test(name))
    throw malformed(
      `The name of column ${index + 1} has characters that are not text: the file is damaged, or its encoding is another one`,
    )
  if (name.length > maxNameLength)
    throw malformed(
      `The name of column ${index + 1} is longer than ${maxNameLength} characters; name the line with the names of the columns in \`format.header_row\``,
    )
}

/** Returns the name, or the name with the next free number. */
export function freeName(name: string, used: Set<string>): string {
  let free = name
  for (let number = 2; used.has(free); number++) free = `${name.replace(/_\d+$/, '')}_${number}`
  used.add(free)
  return free
}
