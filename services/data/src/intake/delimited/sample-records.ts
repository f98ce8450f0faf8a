import { parseCsvRow } from '../../parsers/csv/csv-row.ts'
import { reasonOf } from '../../parsers/csv/delimited-parser.ts'
import { countNewlines } from '../../parsers/row.ts'

/** A record at the beginning of a text. */
export interface SampleRecord {
  line: number
  cells: string[]
  /** The reason if it is malformed; its cells are then a guess. */
  reason?: string
}

/** Returns the first records of a text. @param isWhole false if the text continues: its last record is left out */
export function sampleRecords(
  text: string,
  delimiter: string,
  { maxRecords, firstLine, isWhole }: { maxRecords: number; firstLine: number; isWhole: boolean },
): SampleRecord[] {
  const records: SampleRecord[] = []
  let line = 1
  for (let at = 0; at < text.length && records.length < maxRecords; ) {
    const lineEnd = text.indexOf('\n', at)
    const end = lineEnd === -1 ? text.length : lineEnd
    const lineText = text.slice(at, end).replace(/\r$/, '')
    if (lineText.trim() === '' || line < firstLine) {
      at = end + 1
      line++
      continue
    }
    const record = parseCsvRow(text, at, delimiter, isWhole)
    if (typeof record === 'object' && 'fields' in record) {
      records.push({ line, cells: record.fields })
      line += countNewlines(text, at, record.nextOffset)
      at = record.nextOffset
      continue
    }
    if (record === 'incomplete' && lineEnd === -1) break
    records.push({ line, cells: lineText.split(delimiter), reason: reasonOf(record) })
    at = end + 1
    line++
  }
  return records
}
