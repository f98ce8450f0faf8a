import type { AppendedRecord, ChainedRecord, ChainHead, PersonalData } from '../store/record-types.ts'
import { personalDataHash, recordHash } from './record.ts'

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
