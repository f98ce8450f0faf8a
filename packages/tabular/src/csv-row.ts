/**
 * Formats one row of a CSV file for export (RFC 4180), with CRLF. A null is an empty cell. Texts cannot become
 * formulas.
 * @param signs of the spreadsheets that open the file
 */
export const csvRow = (
  cells: readonly (string | number | null | undefined)[],
  { decimal, separator } = { decimal: '.', separator: ',' },
): string => `${cells.map((cell) => csvCell(cell, decimal)).join(separator)}\r\n`

function csvCell(value: string | number | null | undefined, decimal: string): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return String(value).replace('.', decimal)
  const text = neutralizeFormulas(value)
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Characters that begin a formula, also in their full-width, small, raised and lowered forms, and the minus sign. */
const triggers = '=+\\-@\\u2212\\ufe62\\ufe63\\ufe66\\ufe6b\\uff0b\\uff0d\\uff1d\\uff20\\u207a-\\u207c\\u208a-\\u208c'
/**
 * Characters before a formula that spreadsheets remove or do not show: white space, control characters and quotes; and
 * apostrophes, so that one more of them can be taken away again.
 */
const ignored = '[\\s\\p{Cc}\\p{Cf}"\']*'
/** The beginning of a cell for a reader that separates columns at a semicolon, tab or bar, and rows at a line break. */
const cellBeginning = new RegExp(`(?<=^|[;|\\t\\r\\n])(?=${ignored}[${triggers}])`, 'gu')
const neutralizedBeginning = new RegExp(`(?<=^|[;|\\t\\r\\n])'(?=${ignored}[${triggers}])`, 'gu')

/**
 * Returns a text that no spreadsheet reads as a formula (https://owasp.org/www-community/attacks/CSV_Injection): an
 * apostrophe stands before every part that would begin with one. A spreadsheet may be set to other separators than the
 * comma of the file, and then ignores the quotes around a cell; so the parts of a text are treated as cells too. For
 * every cell of text in an export, in CSV as in a workbook.
 */
export const neutralizeFormulas = (text: string): string => text.replace(cellBeginning, "'")

/** Returns the text of a cell that `neutralizeFormulas` wrote. For files that are exported to be imported again. */
export const restoreFormulas = (cell: string): string => cell.replace(neutralizedBeginning, '')
