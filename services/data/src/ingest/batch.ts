import type { BadRow } from '@wp/contracts'
import { inPlace, type Row } from '../rows/row.ts'
import type { Declarations } from '../schema/declared.ts'
import { type Seen, takeNote } from '../schema/drift.ts'
import { type Draft, draftOf, type FieldRoles } from './draft.ts'

/** Rows that are stored together. */
export interface Batch {
  drafts: Draft[]
  /** What their fields hold. */
  seen: Seen
  /** Of their JSON texts together. */
  length: number
}

/** What a row became. `identity` tells it from rows that say anything else. */
export type Taken = Drafted | { bad: BadRow; key?: string | undefined; identity: string }

interface Drafted {
  draft: Draft
  value: Readonly<Record<string, unknown>>
  key: string
  identity: string
}

const maxBatchRows = 1000
const maxBatchLength = 4 * 1024 * 1024
/** So many are listed of one upload or sync. */
export const maxBadRows = 100

/** @param part of the source, where it has parts */
export function takeRow(row: Row, roles: FieldRoles, part?: string): Taken {
  const of = part === undefined ? {} : { part }
  if ('reason' in row)
    return { bad: { line: row.line, reason: row.reason, ...of }, key: row.key, identity: `${part}: ${row.reason}` }
  const draft = draftOf(row.value, roles)
  if ('json' in draft) {
    if (part !== undefined) draft.part = part
    return { draft, value: row.value, key: draft.key, identity: draft.json }
  }
  const { reason, key } = draft
  return { bad: { line: row.line, reason: inPlace(row, reason), ...of }, key, identity: jsonOf(row.value) ?? reason }
}

/** The JSON text of what was read; nothing where that is nested too deep to be written, as it can be read. */
export function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

export const beginBatch = (config: Declarations): Batch => ({ drafts: [], seen: takeNote(config), length: 0 })

export function addTo(batch: Batch, { draft, value }: Drafted): void {
  batch.drafts.push(draft)
  batch.length += draft.json.length
  batch.seen.note(value)
}

/** @param more rows that are to come into it as well */
export const isFull = ({ drafts, length }: Batch, more = 0): boolean =>
  drafts.length + Math.max(0, more - 1) >= maxBatchRows || length >= maxBatchLength
