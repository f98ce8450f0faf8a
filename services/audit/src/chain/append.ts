import { type ChainedRecord, commitmentOf, hashOf, type Personal } from './record.ts'

/** The end of a chain. */
export interface Head {
  seq: number
  hash: string
}

/** What shall be recorded, before it has its place. */
export interface Entry {
  facts: Omit<ChainedRecord, 'workspaceId' | 'seq' | 'personalHash' | 'prevHash'>
  personal: Personal
}

/** A record with its place, its hash and what stands beside it. */
export interface Appended {
  record: ChainedRecord
  hash: string
  personal: Personal & { salt: string }
}

/** Chains entries to the end of a chain, in their order. @returns them, and where the chain ends then */
export function append(
  workspaceId: string,
  head: Head,
  entries: readonly Entry[],
  newSalt: () => string,
): { appended: Appended[]; head: Head } {
  let end = head
  const appended = entries.map(({ facts, personal }) => {
    const salt = newSalt()
    const personalHash = commitmentOf(salt, personal)
    const record = { ...facts, workspaceId, seq: end.seq + 1, personalHash, prevHash: end.hash }
    end = { seq: record.seq, hash: hashOf(record) }
    return { record, hash: end.hash, personal: { ...personal, salt } }
  })
  return { appended, head: end }
}
