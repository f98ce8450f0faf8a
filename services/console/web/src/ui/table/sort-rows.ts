/** By which column a table is sorted. */
export interface Sort {
  /** Header of the column. */
  column: string
  isDescending: boolean
}

/** A value to sort by; rows without one are last. */
export type SortValue = string | number | null | undefined

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** Returns the rows in the order of a value of theirs; rows with equal values keep their order. */
export function sortRows<Row>(
  rows: readonly Row[],
  sortValueOf: (row: Row) => SortValue,
  isDescending: boolean,
): readonly Row[] {
  const sign = isDescending ? -1 : 1
  return rows.toSorted((a, b) => {
    const [first, second] = [sortValueOf(a) ?? undefined, sortValueOf(b) ?? undefined]
    if (first === undefined || second === undefined) return Number(first === undefined) - Number(second === undefined)
    if (typeof first === 'number' && typeof second === 'number') return sign * (first - second)
    return sign * collator.compare(String(first), String(second))
  })
}

/** Returns the sort after a click on a header: ascending, descending, then the order of the list again. */
export function nextSort(sort: Sort | undefined, column: string): Sort | undefined {
  if (sort?.column !== column) return { column, isDescending: false }
  return sort.isDescending ? undefined : { column, isDescending: true }
}
