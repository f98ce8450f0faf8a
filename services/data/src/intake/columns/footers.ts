import { isEmptyCell as isEmpty, type RawRow } from '../raw-table.ts'

/** Words of a row of totals; those that names begin with too, such as "Media room", stand alone. */
const totalWords = new RegExp(
  `^(?:(?:${[
    '(?:grand |sub-?)?totals?|subtotale?s?|totale|totaal|eindtotaal|totalt|hovedtotal|totalsumma|gesamt(?:e|ergebnis)?',
    'gesamtsumme|zwischensumme|endsumme|teilergebnis|summe|insgesamt|razem|suma końcowa|celkem|celkový součet|spolu',
    '(?:genel )?toplam|összesen|végösszeg|(?:kaikki )?yhteensä|i alt|итого|всего|общий итог|σύνολο|γενικό άθροισμα',
    '[ø⌀](?=$|:| \\p{L}{2})|合計|総計|小計|總計|合计|总计|小计|합계|총합계|총계|소계|Σ',
  ].join(
    '|',
  )})(?!\\p{L}).*|(?:sum|somme|suma|soma|summa|average|avg|mean|mittel|maximum|minimum|durchschnitt|mittelwert|moyenne|media)s?(?:\\s*[:(\\d].*|\\s+(?:of|der|von|de|des|del|per|pro)(?!\\p{L}).*)?):?$`,
  'iu',
)

/** Returns true for the label of a row of totals or averages. */
export const isTotalLabel = (text: string): boolean => totalWords.test(text)

/** The label of a note below a table, such as `Source: building system`. */
const noteWords = /^[*©(]|:(?:\s|$)|^\d+ \p{L}/u
/** Rows that are held back until it is known whether others follow. */
const heldRows = 8

/** Refuses the rows below a table that are not of it, such as totals. */
export interface FooterFilter {
  /** Returns the rows that can be passed on. */
  add(rows: readonly RawRow[]): RawRow[]
  /** Returns the last rows, of which footers are refused. */
  end(): RawRow[]
}

/**
 * @param hidesValues leaves the label of a row of totals out of its reason
 * @param firstColumn position of the first column of the table: a sheet may have empty ones before it
 */
export function createFooterFilter(hidesValues = false, firstColumn = 0): FooterFilter {
  const cellsOf = (row: { cells: readonly unknown[] }) => (firstColumn === 0 ? row.cells : row.cells.slice(firstColumn))
  let held: RawRow[] = []
  let rowsWithTotal = 0
  let rowsWithoutFirst = 0
  let rowsWithFirstOnly = 0
  let passed = 0

  function pass(row: RawRow): void {
    passed++
    if (!('cells' in row)) return
    const cells = cellsOf(row)
    const first = labelOf(cells)
    if (first !== undefined && isTotalLabel(first)) rowsWithTotal++
    if (isEmpty(cells[0])) rowsWithoutFirst++
    if (hasFirstOnly(cells)) rowsWithFirstOnly++
  }

  /** Returns the reason if the row is a footer. The same words in rows before it are data. */
  function footerReason(row: RawRow): string | undefined {
    if (!('cells' in row)) return undefined
    const cells = cellsOf(row)
    const label = labelOf(cells)
    if (label !== undefined && isTotalLabel(label) && rowsWithTotal === 0 && hasValues(cells))
      return hidesValues
        ? 'is a row of totals below the table'
        : `is a row of totals ("${label.slice(0, 50)}") below the table`
    if (isEmpty(cells[0]) && rowsWithoutFirst === 0 && passed > 0 && cells.some((cell) => !isEmpty(cell)))
      return 'is below the table: its first column is empty, as in no row before'
    if (isNote(cells) && rowsWithFirstOnly === 0 && passed > 0)
      return 'is a note below the table: only its first column has a text, as in no row before'
    return undefined
  }

  return {
    add(rows) {
      held = held.length === 0 ? [...rows] : held.concat(rows)
      if (held.length <= heldRows) return []
      const ready = held.slice(0, held.length - heldRows)
      held = held.slice(held.length - heldRows)
      for (const row of ready) pass(row)
      return ready
    },
    end() {
      const kept = held
      held = []
      let end = kept.length
      while (end > 0) {
        const row = kept[end - 1]
        if (row === undefined || ('cells' in row && !isFooterLike(cellsOf(row)))) break
        end--
      }
      for (const row of kept.slice(0, end)) pass(row)
      return kept.map((row, index) => {
        const reason = index < end ? undefined : footerReason(row)
        return reason === undefined ? row : { line: row.line, reason, isFooter: true }
      })
    },
  }
}

function isFooterLike(cells: readonly unknown[]): boolean {
  const label = labelOf(cells)
  return cells.length === 1 || isEmpty(cells[0]) || isNote(cells) || (label !== undefined && isTotalLabel(label))
}

const hasFirstOnly = (cells: readonly unknown[]): boolean =>
  cells.length > 1 && !isEmpty(cells[0]) && cells.slice(1).every(isEmpty)

const isNote = (cells: readonly unknown[]): boolean => hasFirstOnly(cells) && noteWords.test(labelOf(cells) ?? '')

/** Returns the first text of a row. */
function labelOf(cells: readonly unknown[]): string | undefined {
  const first = cells.find((cell) => !isEmpty(cell))
  return typeof first === 'string' ? first.trim() : undefined
}

const hasValues = (cells: readonly unknown[]): boolean =>
  cells.filter((cell) => !isEmpty(cell)).length > 1 || cells.length > 1
