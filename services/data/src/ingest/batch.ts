import type { BadRow } from '@wp/contracts'
import { type Row, withPosition } from '../parsers/row.ts'
import type { FieldDeclarations } from '../schema/declared-fields.ts'
import { createSchemaObserver, type SchemaObserver } from '../schema/schema-observer.ts'
import type { RecordInput } from '../store/records/upsert-records.ts'
import { type FieldMapping, type RowIdentity, toRecordInput } from './record-input.ts'

/** Records that are stored in one transaction. */
export interface Batch {
  records: RecordInput[]
  /** Has observed the rows of `records`. */
  observer: SchemaObserver
  /** Total length of the JSON texts, in UTF-16 code units. */
  jsonLength: number
}

/** A row that was accepted as a record or rejected. Rows of equal content have equal fingerprints. */
export type PreparedRow = AcceptedRow | { badRow: BadRow; key?: string | undefined; fingerprint: string }

interface AcceptedRow {
  record: RecordInput
  value: Readonly<Record<string, unknown>>
  key: string
  fingerprint: string
}

const maxBatchRows = 1000
const maxBatchJsonLength = 4 * 1024 * 1024
/** Further bad rows of an upload or sync are counted, not listed. */
export const maxBadRows = 100

/** Validates a row. */
export function prepareRow(row: Row, mapping: FieldMapping, identity: RowIdentity): PreparedRow {
  const { part } = identity
  const inPart = part === undefined ? {} : { part }
  if ('reason' in row) {
    const { key, line, reason, column, badValue } = row
    const cell = { ...(column === undefined ? {} : { column }), ...(badValue === undefined ? {} : { value: badValue }) }
    // Without the line, which differs when the row is read again after a cursor.
    const fingerprint = JSON.stringify([part, reason, column, badValue])
    return { badRow: { line, reason, ...cell, ...inPart }, key, fingerprint }
  }
  const { key: ofFormat, ownKey } = row
  const hasKey = ofFormat !== undefined || ownKey !== undefined
  const input = toRecordInput(row.value, mapping, hasKey ? { ...identity, key: ofFormat, ownKey } : identity)
  if ('json' in input) {
    const record = { ...input, ...inPart }
    return { record, value: row.value, key: input.key, fingerprint: input.json }
  }
  const { reason, key } = input
  return {
    badRow: { line: row.line, reason: withPosition(row, reason), ...inPart },
    key,
    fingerprint: stringifyJson(row.value) ?? reason,
  }
}

/**
 * Like JSON.stringify, but returns undefined for a value nested too deep to be written; the parser has no such limit.
 */
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

export const isBatchFull = ({ records, jsonLength }: Batch): boolean =>
  records.length >= maxBatchRows || jsonLength >= maxBatchJsonLength
