import type { StoredRecord } from '../store/record-types.ts'
import { recordHash } from './record.ts'

/** Furthest displacement at which a moved record is still recognized. */
const maxShift = 8

/** Returns the number of positions a record was moved by, if nothing else of it was changed; otherwise undefined. */
export function findShift({ record, hash }: StoredRecord): number | undefined {
  for (let by = 1; by <= maxShift; by += 1)
    for (const shift of [by, -by]) if (recordHash({ ...record, seq: record.seq - shift }) === hash) return shift
  return undefined
}
