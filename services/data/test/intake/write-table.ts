import { gzipSync } from 'node:zlib'

/** A cell as it is written, and the value it stands for. */
export interface WrittenCell {
  written: string
  value: string | number | null
}

/** A table as a file has it, and the values of its rows. */
export interface WrittenTable {
  bytes: Buffer
  names: string[]
  rows: WrittenCell[][]
  /** The rows below the table. */
  footers: number
  description: string
}

/** How a file writes tables. */
export interface Dialect {
  delimiter: string
  encoding: 'utf-8' | 'utf-8 with a mark' | 'utf-16le' | 'windows-1252' | 'gzip'
  newline: string
  decimal: '.' | ','
  thousands: string
  date: string
  quoting: 'all' | 'needed'
  preamble: string[]
  hasSepLine: boolean
  footer: 'none' | 'total' | 'note'
}

/** Writes a table in a dialect. */
export function writeTable(dialect: Dialect, rows: WrittenCell[][]): WrittenTable {
  const { delimiter, newline, quoting, preamble, hasSepLine, footer, encoding } = dialect
  const width = rows[0]?.length ?? 0
  const names = Array.from({ length: width }, (_, index) => `Wert ä${index}`)
  const needsQuotes = (cell: string) => cell.includes(delimiter) || /["\r\n]/.test(cell)
  const line = (cells: readonly string[]) =>
    cells.map((cell) => (quoting === 'all' || needsQuotes(cell) ? quote(cell) : cell)).join(delimiter)
  const total = line(['Total', ...Array(Math.max(0, width - 1)).fill('123456')])
  const footers = footer === 'none' || width < 2 ? [] : footer === 'total' ? [total] : ['Source: building system']
  const lines = [
    ...(hasSepLine ? [`sep=${delimiter}`] : []),
    // Lines above a single column of text could be its header.
    ...(width < 2 ? [] : preamble),
    line(names),
    // An empty line is no row.
    ...rows.map((cells) => line(cells.map(({ written }) => written)) || '""'),
    ...footers,
  ]
  const text = lines.join(newline) + newline
  const description = JSON.stringify({ ...dialect, text: text.slice(0, 600) })
  return { bytes: encode(text, encoding), names, rows, footers: footers.length, description }
}

function encode(text: string, encoding: Dialect['encoding']): Buffer {
  switch (encoding) {
    case 'utf-8':
      return Buffer.from(text)
    case 'gzip':
      return gzipSync(text)
    case 'utf-8 with a mark':
      return Buffer.from(`\ufeff${text}`)
    case 'utf-16le':
      return Buffer.from(`\ufeff${text}`, 'utf16le')
    case 'windows-1252':
      // In the range of these texts, Windows-1252 is Latin-1, but for the typographic apostrophe.
      return Buffer.from(text.replaceAll('’', '\u0092'), 'latin1')
  }
}

const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`
