import type { BadRow } from '@wp/contracts'
import { type Row, withPosition } from '../parsers/row.ts'
import type { FieldDeclarations } from '../schema/declared-fields.ts'
import { createSchemaObserver, type SchemaObserver } from '../schema/drift.ts'
import { type FieldMapping, type RecordInput, toRecordInput } from './record-input.ts'

/** Rows that are stored together. */
export interface Batch {
  records: RecordInput[]
  /** What their fields hold. */
  observer: SchemaObserver
  /** Of their JSON texts together. */
  jsonLength: number
}

/** What a row became. `identity` tells it from rows that say anything else. */
export type PreparedRow = AcceptedRow | { badRow: BadRow; key?: string | undefined; fingerprint: string }

interface AcceptedRow {
  record: RecordInput
  value: Readonly<Record<string, unknown>>
  key: string
  fingerprint: string
}

const maxBatchRows = 1000
const maxBatchJsonLength = 4 * 1024 * 1024
/** So many are listed of one upload or sync. */
export const maxBadRows = 100

/** @param part of the source, where it has parts */
export function prepareRow(row: Row, mapping: FieldMapping, part?: string): PreparedRow {
  const of = part === undefined ? {} : { part }
  if ('reason' in row)
    return {
      badRow: { line: row.line, reason: row.reason, ...of },
      key: row.key,
      fingerprint: `${part}: ${row.reason}`,
    }
  const draft = toRecordInput(row.value, mapping)
  if ('json' in draft) {
    if (part !== undefined) draft.part = part
    return { record: draft, value: row.value, key: draft.key, fingerprint: draft.json }
  }
  const { reason, key } = draft
  return {
    badRow: { line: row.line, reason: withPosition(row, reason), ...of },
    key,
    fingerprint: stringifyJson(row.value) ?? reason,
  }
}

/** The JSON text of what was read; nothing where that is nested too deep to be written, as it can be read. */
export function stringifyJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

export const createBatch = (config: FieldDeclarations): Batch => ({
  records: [],
  observer: createSchemaObserver(config),
  jsonLength: 0,
})

export function addToBatch(batch: Batch, { record, value }: AcceptedRow): void {
  batch.records.push(record)
  batch.jsonLength += record.json.length
  batch.observer.observe(value)
}

/** @param more rows that are to come into it as well */
export const isBatchFull = ({ records, jsonLength }: Batch, more = 0): boolean =>
  records.length + Math.max(0, more - 1) >= maxBatchRows || jsonLength >= maxBatchJsonLength
