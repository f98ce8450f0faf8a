import type { Row } from '../../parsers/row.ts'
import { withoutQuotes } from '../../privacy/hidden-values.ts'
import { protectRow } from '../../privacy/protect-row.ts'
import type { RowProtection } from '../../privacy/row-protection.ts'
import type { FieldDeclarations } from '../../schema/declared-fields.ts'
import { lacksProtectedColumn } from '../problems.ts'
import {
  ErrorCell,
  type IntakeWarning,
  type JsonTable,
  type RawColumn,
  type RawRow,
  type RawTable,
  TimeCell,
} from '../raw-table.ts'
import { createSpelledNumbers, type SpelledNumbers } from './spelled-numbers.ts'

/** Protects the rows of a table before anything else looks at their values. */
export interface TableGuard {
  /** The columns by position, of which dropped ones have no name; undefined for JSON. */
  columns: RawColumn[] | undefined
  /** Passes rows on; an error of reading them quotes nothing of the file. */
  read<Batch>(batches: AsyncGenerator<Batch>): AsyncGenerator<Batch>
  /** Returns a row with pseudonyms and without the values of dropped columns. Cells are replaced in place. */
  protect<R extends RawRow | Row>(row: R): R
  /** Declares the pseudonymized columns that were found as text. */
  declare(declarations: FieldDeclarations): FieldDeclarations
  /** @throws Problem `unexpected_format` if rows of JSON were protected, but no row has one of the columns */
  assertColumnsFound(): void
  /** Returns the warnings about the rows so far, and looks at no further ones for them. */
  takeWarnings(): IntakeWarning[]
}

const maxFoundNames = 1_000

/**
 * Creates the guard of a table.
 * @param nulls texts that stand for no value
 * @param keyField the field with the key of a row
 * @throws Problem `unexpected_format` if the header lacks a protected column
 */
export function createTableGuard(
  table: RawTable | JsonTable,
  protection: RowProtection,
  nulls: ReadonlySet<string>,
  keyField: string | undefined,
): TableGuard {
  const { treatmentOf, pseudonymOf, ownKeyOf } = protection
  let spellings: SpelledNumbers | undefined = createSpelledNumbers()
  const header = 'columns' in table ? table.columns : undefined
  /** Returns the name by which a column is protected: its own, else the one that it repeats. */
  const protectedName = ({ name, repeats = name }: RawColumn) => (treatmentOf(name) === undefined ? repeats : name)
  const treatments = (header ?? []).map((column) => treatmentOf(protectedName(column)))
  const found = new Set(header?.flatMap(({ name, repeats = name }) => [name, repeats]))
  const keyColumn = keyField === undefined ? undefined : header?.find(({ name }) => name === keyField)
  const keyAt = keyColumn === undefined ? -1 : (header?.indexOf(keyColumn) ?? -1)
  let hasObjects = false
  if (header !== undefined) assertFound()

  function assertFound(): void {
    const lacking = protection.findLacking(found)
    if (lacking !== undefined) throw lacksProtectedColumn(lacking)
  }

  function pseudonymOfCell(cell: unknown): unknown {
    if (cell instanceof ErrorCell) return cell
    if (cell instanceof TimeCell) return pseudonymOf(cell.text)
    return typeof cell === 'string' && nulls.has(cell.trim()) ? null : pseudonymOf(cell)
  }

  const ownKeyIn = (column: string, cell: unknown) =>
    typeof cell === 'string' && nulls.has(cell.trim()) ? undefined : ownKeyOf(column, cell)

  const onColumn = (name: string, value: unknown) => {
    if (found.size < maxFoundNames) found.add(name)
    if (found.has(name) && treatmentOf(name) === 'pseudonymize') spellings?.add(name, value)
  }
  return {
    columns: header?.map((column, at) => (treatments[at] === 'drop' ? { name: '', isDropped: true } : column)),
    async *read(batches) {
      try {
        yield* batches
      } catch (error) {
        throw withoutQuotes(error)
      }
    },
    protect(row) {
      if ('cells' in row) {
        const ownKey = keyColumn && ownKeyIn(protectedName(keyColumn), row.cells[keyAt])
        if (ownKey !== undefined) row.ownKey = ownKey
        for (const [at, treatment] of treatments.entries()) {
          if (treatment === undefined || at >= row.cells.length) continue
          if (treatment === 'pseudonymize') spellings?.add(header?.[at]?.name ?? '', row.cells[at])
          row.cells[at] = treatment === 'drop' ? null : pseudonymOfCell(row.cells[at])
        }
      } else if ('value' in row) {
        hasObjects = true
        const isKeyed = keyField !== undefined && Object.hasOwn(row.value, keyField)
        const ownKey = isKeyed ? ownKeyIn(keyField, row.value[keyField]) : undefined
        const value = protectRow(row.value, protection, { nulls, onColumn })
        return { ...row, value, ...(ownKey !== undefined && { ownKey }) }
      }
      return row
    },
    declare(declarations) {
      const names = [...found].filter((name) => treatmentOf(name) === 'pseudonymize')
      const repeated = (header ?? []).flatMap(({ name }, at) => (treatments[at] === 'pseudonymize' ? [name] : []))
      const fields = Object.fromEntries([...names, ...repeated].map((name) => [name, { type: 'string' as const }]))
      return { ...declarations, fields: { ...declarations.fields, ...fields } }
    },
    assertColumnsFound() {
      if (hasObjects) assertFound()
    },
    takeWarnings() {
      const warnings = spellings?.warnings() ?? []
      spellings = undefined
      return warnings
    },
  }
}
