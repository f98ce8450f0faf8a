import { hash } from 'node:crypto'
import { canonicalJson } from '@wp/runtime'
import type { AppendedRecord, ChainedRecord, ChainHead, PersonalData, StoredRecord } from '../store/record-types.ts'

/** The previous hash of the first record of a chain. */
export const genesisHash = '0'.repeat(64)

/**
 * Returns the SHA-256 of a record's canonical JSON (RFC 8785), hexadecimal. The version member allows a later change of
 * the format; the workspace is included so that no chain can be presented as another workspace's.
 */
export function recordHash(record: ChainedRecord): string {
  const { workspaceId, seq, id, action, occurredAt, actor, targets, requestId, outcome, changes } = record
  const { personalHash, prevHash } = record
  return sha256(
    canonicalJson({
      version: 1,
      workspace_id: workspaceId,
      seq,
      id,
      action,
      occurred_at: occurredAt,
      // Members without a value are omitted: records from before they existed have the same hash.
      actor: { id: actor.id, type: actor.type, client_id: actor.client_id, session_id: actor.session_id },
      targets,
      request_id: requestId,
      outcome,
      changes,
      personal_hash: personalHash,
      prev_hash: prevHash,
    }),
  )
}

/** Furthest displacement at which a moved record is still recognized. */
const maxShift = 8

/** Returns the number of positions a record was moved by, if nothing else of it was changed; otherwise undefined. */
export function findShift({ record, hash }: StoredRecord): number | undefined {
  for (let by = 1; by <= maxShift; by += 1)
    for (const shift of [by, -by]) if (recordHash({ ...record, seq: record.seq - shift }) === hash) return shift
  return undefined
}

/**
 * Returns the salted hash that a chained record keeps of its personal data. Erasing the data erases the salt too, so
 * that the hash alone cannot be used to guess them.
 * @param salt hexadecimal, always of the same length
 */
export function personalDataHash(salt: string, { actorName, ip, userAgent }: PersonalData): string {
  return sha256(`${salt}${canonicalJson({ actor_name: actorName, ip, user_agent: userAgent })}`)
}

const sha256 = (text: string): string => hash('sha256', text, 'hex')

/** A record that has no position in a chain yet. */
export interface UnchainedRecord {
  content: Omit<ChainedRecord, 'workspaceId' | 'seq' | 'personalHash' | 'prevHash'>
  personal: PersonalData
}

/**
 * Links records to the end of a chain, in the given order.
 * @param newSalt returns a new hexadecimal salt, always of the same length
 * @returns the linked records and the new head of the chain
 */
export function appendToChain(
  workspaceId: string,
  head: ChainHead,
  records: readonly UnchainedRecord[],
  newSalt: () => string,
): { appended: AppendedRecord[]; head: ChainHead } {
  let end = head
  const appended = records.map(({ content, personal }) => {
    const salt = newSalt()
    const personalHash = personalDataHash(salt, personal)
    const record = { ...content, workspaceId, seq: end.seq + 1, personalHash, prevHash: end.hash }
    end = { seq: record.seq, hash: recordHash(record) }
    return { record, hash: end.hash, personal: { ...personal, salt } }
  })
  return { appended, head: end }
}
