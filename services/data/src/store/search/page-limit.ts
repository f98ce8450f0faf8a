/** The page ends with the row whose field values exceed this size. */
const maxPageBytes = 4 * 1024 * 1024

/**
 * Returns an SQL statement for the first rows of a query, up to 4 MiB of field values. Its last row may have
 * `isPageEnd`.
 * @param rows a query with the columns `nth`, which orders its rows, and `field_values`
 */
export const limitFieldValues = (rows: string): string => `
  SELECT *, bytes > ${maxPageBytes} AS is_page_end
    FROM (
      SELECT *, pg_column_size(field_values) AS size, sum(pg_column_size(field_values)) OVER (ORDER BY nth) AS bytes
        FROM (${rows}) AS row
    ) AS measured
   WHERE bytes - size <= ${maxPageBytes}
   ORDER BY nth`

/** An SQL expression for the values of the fields that are named by a parameter. */
export const selectFieldValues = (names: string): string =>
  `ARRAY (SELECT data -> field FROM unnest(${names}::text[]) WITH ORDINALITY AS requested (field, column_nth)
           ORDER BY column_nth)`

/** Returns the number of keys that a page has read, of which those of deleted records have no row. */
export function countReadKeys(rows: readonly { position: number; isPageEnd: boolean }[], keys: number): number {
  const last = rows.at(-1)
  return last?.isPageEnd === true ? last.position + 1 : keys
}
