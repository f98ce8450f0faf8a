import { csvSignsOf, localText } from '@wp/contracts/local-text'
import { csvRow } from '@wp/tabular'

type Cells = Parameters<typeof csvRow>[0]

/**
 * Returns the way to write CSV for spreadsheets of a locale. German Excel opens a file with commas in one column, reads
 * `12.5` as a date, and takes UTF-8 without a byte order mark for Windows-1252. Without a locale, that of RFC 4180.
 */
export function csvFor(locale: string | undefined): { mark: string; row: (cells: Cells) => string } {
  const signs = locale === undefined ? undefined : csvSignsOf(locale)
  return { mark: signs === undefined ? '' : '\ufeff', row: (cells) => csvRow(cells, signs) }
}

/** Writes the sentences of a file as a reader does; without a locale as the platform does. */
export interface ReaderText {
  sentence: (text: string) => string
  /** Format of the days of a workbook. */
  dayFormat: string
}

/** Returns the texts of a locale, if one is known. */
export function textFor(locale: string | undefined): ReaderText {
  if (locale === undefined) return { sentence: (text) => text, dayFormat: 'yyyy-mm-dd' }
  const { sentence, date } = localText({ locale, timeZone: 'UTC' })
  const example = date(new Date('2000-11-22'))
  const dayFormat = example.replace('2000', 'yyyy').replace('22', 'dd').replace('Nov', 'mmm').replace('11', 'mm')
  return { sentence, dayFormat }
}
