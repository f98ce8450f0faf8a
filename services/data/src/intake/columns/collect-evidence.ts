import { addText, addTyped, type ColumnEvidence, createColumnEvidence } from '@wp/tabular'
import type { Row } from '../../parsers/row.ts'
import { ErrorCell, type RawRow, type RawTable, TimeCell } from '../raw-table.ts'

/** The evidence for the columns of a table by their names, in order. */
export interface TableEvidence {
  columns: Map<string, ColumnEvidence>
  addRows(rows: readonly (RawRow | Row)[]): void
}

interface EvidenceOptions {
  /** The columns by position; undefined for JSON, whose rows name theirs. */
  columns: RawTable['columns'] | undefined
  delimiter: string | undefined
  nulls: ReadonlySet<string>
}

/** Further members of JSON rows keep their values as they are. */
const maxJsonColumns = 1_000

/** Creates an empty collection of evidence. */
export function createTableEvidence({ columns, delimiter, nulls }: EvidenceOptions): TableEvidence {
  const byName = new Map<string, ColumnEvidence>()
  const byPosition = columns?.map(({ name, isDropped }) => {
    const evidence = createColumnEvidence()
    if (!isDropped) byName.set(name, evidence)
    return isDropped ? undefined : evidence
  })

  function addCell(evidence: ColumnEvidence, cell: unknown): void {
    if (typeof cell === 'string') {
      const hasDelimiter = delimiter !== undefined && cell.includes(delimiter)
      addText(evidence, cell.trim(), nulls, hasDelimiter)
    } else if (cell === null || cell === undefined) evidence.empty++
    else if (typeof cell === 'number' || typeof cell === 'boolean')
      addTyped(evidence, typeof cell === 'number' ? 'number' : 'boolean', `${cell}`)
    else if (cell instanceof TimeCell) addTyped(evidence, 'timestamp', cell.text)
    else if (cell instanceof ErrorCell) evidence.errors++
    else addTyped(evidence, 'other', '')
  }

  function addObject(value: Readonly<Record<string, unknown>>): void {
    for (const name of Object.keys(value)) {
      let evidence = byName.get(name)
      if (evidence === undefined) {
        if (byName.size >= maxJsonColumns) continue
        evidence = createColumnEvidence()
        byName.set(name, evidence)
      }
      addCell(evidence, value[name])
    }
  }

  return {
    columns: byName,
    addRows(rows) {
      for (const row of rows) {
        if ('value' in row) addObject(row.value)
        else if ('cells' in row && byPosition !== undefined && fits(row.cells, byPosition.length))
          for (let column = 0; column < byPosition.length; column++) {
            const evidence = byPosition[column]
            if (evidence !== undefined) addCell(evidence, row.cells[column])
          }
      }
    },
  }
}

/** Returns true if a row has the columns of its table. The values of any other one are in the wrong columns. */
const fits = (cells: readonly unknown[], columns: number): boolean =>
  cells.length === columns ||
  (cells.length > columns && cells.slice(columns).every((cell) => cell === null || cell === undefined || cell === ''))
