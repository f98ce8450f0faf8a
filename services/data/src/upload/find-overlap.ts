import type { SourceFormat } from '@wp/contracts'
import type { IngestResult } from '../ingest/ingest.ts'
import type { IntakeWarning } from '../intake/raw-table.ts'
import type { Row } from '../parsers/row.ts'
import type { RecordValues } from '../store/records/read-fields.ts'

/** Values by which rows of a file without times are compared with those that are stored. */
const maxValues = 1_000
/** The stored records are all read, so a small file must not have very many of them read. */
const [freeRecords, recordsPerRow] = [200_000, 100]

/** Notes of the rows of a file without a key, by which it is found to repeat or correct another one. */
export interface OverlapNotes {
  rows: AsyncIterable<Row[]>
  /** Number of rows that are noted, and the values that stored ones must have to count as others of the same. */
  noted(): (RecordValues & { rows: number; isPeriod: boolean }) | undefined
}

/** Notes the period of the rows of a table, or of a list without times the values of a column that tells rows apart. */
export function noteOverlap(rows: AsyncIterable<Row[]>, { columns = {} }: SourceFormat): OverlapNotes {
  const time = Object.keys(columns).find((name) => columns[name]?.type === 'timestamp')
  const distinct = new Map(Object.keys(columns).map((name) => [name, new Set<string>()]))
  let [first, last, count, timed] = ['', '', 0, 0]
  const note = (value: Readonly<Record<string, unknown>>): void => {
    count++
    const at = time === undefined ? undefined : value[time]
    if (typeof at === 'string') {
      if (timed++ === 0 || at < first) first = at
      if (at > last) last = at
    } else if (time === undefined && count <= maxValues)
      for (const [name, values] of distinct) {
        const text = `${value[name] ?? ''}`
        if (text === '' || values.has(text)) distinct.delete(name)
        else values.add(text)
      }
  }
  return {
    rows: (async function* () {
      for await (const batch of rows) {
        for (const row of batch) if ('value' in row) note(row.value)
        yield batch
      }
    })(),
    noted() {
      if (time !== undefined) return timed === 0 ? undefined : { field: time, first, last, rows: timed, isPeriod: true }
      const [[field, values] = ['', new Set<string>()]] = distinct
      const isList = values.size > 1
      return isList ? { field, values: [...values], rows: Math.min(count, maxValues), isPeriod: false } : undefined
    },
  }
}

/** Returns true if it is worth to read all records of a source for a file. */
export const isComparable = (records: number, rows: number): boolean =>
  records > 0 && records <= freeRecords + rows * recordsPerRow

/**
 * Says that a file may correct an earlier one, so that both count. A file that continues another has the rows of both
 * before its new ones; one that corrects it has them between, or has other rows of the same time, person or place.
 * @param others the stored records that are not of the file and have its period or values
 */
export function correctionWarning(
  { seen, failed, created }: IngestResult['counts'],
  switches: number,
  noted: ReturnType<OverlapNotes['noted']>,
  others: number,
): IntakeWarning[] {
  const ifSo =
    'If this file corrects an earlier one, the earlier versions of corrected rows are stored as well, and count: upload the whole content with `mode=full`, or name in `config.key` a column that identifies rows'
  if (switches > maxSwitches) {
    const message = `${created} of ${seen - failed} rows are new, between others that were stored before. ${ifSo}`
    return [{ code: 'new_between_known', message }]
  }
  if (noted === undefined || created === 0 || others <= 0) return []
  const { field, first = '', last = '' } = noted
  const same = noted.isPeriod ? `from ${first} to ${last}` : `with values of "${field}" that this file has too`
  const message = `${created} of ${seen - failed} rows are new, and ${others} other rows ${same} were stored before: all of them count. ${ifSo}`
  return [{ code: 'overlaps', column: field, message }]
}
/** An overlap begins and ends. */
const maxSwitches = 2
