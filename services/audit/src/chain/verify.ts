import type { AuditVerification } from '@wp/contracts'
import type { z } from 'zod'
import type { ChainHead, StoredRecord } from '../store/record-types.ts'
import {
  addToMovedRange,
  emptyProblemList,
  maxProblems,
  type ProblemList,
  report,
  reportMissing,
  reportMovedRange,
} from './problem-list.ts'
import { findShift, personalDataHash, recordHash } from './record.ts'

/** The known bounds of the part of a chain that is verified. */
export interface ExpectedBounds {
  /** Hash of the last record: from the head of the chain, or from the record after the part. Undefined: unknown. */
  lastHash: string | undefined
  /** Position of the last record; 0 for an empty chain. */
  lastSeq: number
  /** Position of the first record. */
  firstSeq: number
  /** Position and hash of the last record that was cut; 0 and the genesis hash if none was. */
  anchor: ChainHead
}

export type VerificationResult = Omit<
  z.output<typeof AuditVerification>,
  'next_to_seq' | 'head_hash' | 'anchor' | 'signed_head'
>

/** Verifies a chain from its end to its beginning. */
export interface ChainVerifier {
  /** Adds a record. Records must come in descending order of position. */
  add(stored: StoredRecord): void
  /**
   * Returns the result after the last record was added.
   * @param anchor the anchor read after the records, if some of them may have been cut in the meantime
   * @param firstSeq position at which the verification ended, if not at that of the bounds
   */
  finish(anchor?: ChainHead, firstSeq?: number): VerificationResult
}

/** The record verified last. */
interface VerifiedRecord {
  stored: StoredRecord
  /** True if the record is unchanged, so that its previous hash can be relied on. */
  isTrusted: boolean
  /** Number of positions the record was moved by. */
  shift: number
}

interface State extends ProblemList {
  bounds: ExpectedBounds
  erased: number
  above: VerifiedRecord | undefined
  /** Of the next record; the hash is undefined where nothing trusted names it. */
  expectedHash: string | undefined
  expectedSeq: number
}

/**
 * Creates a verifier that reports altered, missing and inserted records.
 *
 * Verification runs from the end because trust does: the head confirms the hash of the last record, and each unchanged
 * record the one below it. So where two records disagree it is known which is wrong, even if its own hash was
 * recomputed. A record that the one above skips (its previous hash names the one further down) was inserted.
 */
export function createChainVerifier(bounds: ExpectedBounds): ChainVerifier {
  const state: State = {
    bounds,
    ...emptyProblemList(),
    erased: 0,
    above: undefined,
    expectedHash: bounds.lastHash,
    expectedSeq: bounds.lastSeq,
  }
  let checked = 0
  let lowest: number | null = null
  let highest: number | null = null
  /** A record is verified once the one below it is known. */
  let pending: StoredRecord | undefined
  return {
    add(stored) {
      checked += 1
      highest ??= stored.record.seq
      lowest = stored.record.seq
      if (pending !== undefined) verifyRecord(state, pending, stored)
      pending = stored
    },
    finish(anchor = bounds.anchor, firstSeq = bounds.firstSeq) {
      if (pending !== undefined) verifyRecord(state, pending, undefined)
      pending = undefined
      reportMovedRange(state)
      verifyBeginning(state, anchor, firstSeq)
      return {
        status: state.problemCount === 0 ? 'ok' : 'broken',
        checked,
        first_seq: lowest,
        last_seq: highest,
        erased: state.erased,
        problem_count: state.problemCount,
        problems: state.problems.sort((a, b) => a.seq - b.seq),
      }
    },
  }
}

function verifyRecord(state: State, stored: StoredRecord, below: StoredRecord | undefined): void {
  const { record, hash } = stored
  const { seq, id } = record
  const isLinked = state.expectedHash !== undefined && hash === state.expectedHash
  if (!isLinked && isInserted(state, stored, below)) {
    const isBeyondEnd = seq > state.bounds.lastSeq
    report(state, 'inserted', seq, id, isBeyondEnd ? 'it is beyond the end of the chain' : 'the chain skips it')
    return
  }
  if (!isLinked && seq < state.expectedSeq) {
    reportMissing(state, seq + 1, state.expectedSeq)
    state.above = undefined
    state.expectedHash = undefined
  }
  const computed = recordHash(record)
  // Once the list of problems is full, the search for displaced records is skipped: it costs up to 16 hashes a record.
  const shift = computed === hash ? 0 : state.problemCount < maxProblems ? findShift(stored) : undefined
  const isIntact = shift !== undefined
  if (shift !== undefined && shift !== 0) addToMovedRange(state, record, shift)
  const isConfirmed = isLinked || state.expectedHash === undefined
  const isTrusted = isConfirmed ? isIntact : verifyUnlinked(state, stored, computed, isIntact)
  if (!isTrusted && isConfirmed) report(state, 'altered', seq, id, 'it does not match its hash')
  if (isTrusted) verifyPersonalData(state, stored)
  state.above = { stored, isTrusted, shift: shift ?? 0 }
  state.expectedHash = record.prevHash
  state.expectedSeq = seq - 1
}

function isInserted(state: State, { record: { seq } }: StoredRecord, below: StoredRecord | undefined): boolean {
  const isSkipped = state.expectedHash !== undefined && below?.hash === state.expectedHash
  // Records above that were moved up made room for an inserted one.
  const isBelowMoved = state.above !== undefined && state.above.shift > 0
  return isSkipped || isBelowMoved || seq > state.expectedSeq || seq <= state.bounds.anchor.seq
}

/**
 * Verifies a record at its position whose hash is not the one the record above names. Returns true if it is trusted.
 */
function verifyUnlinked(state: State, { record, hash }: StoredRecord, computed: string, isIntact: boolean): boolean {
  const { above } = state
  const { seq, id } = record
  if (above !== undefined && !above.isTrusted) {
    const upper = above.stored
    // The record above matches its hash again with this record's hash put back: only its previous hash was altered.
    if (recordHash({ ...upper.record, prevHash: hash }) === upper.hash) {
      if (!isIntact) report(state, 'altered', seq, id, 'it does not match its hash')
      return isIntact
    }
    const detail = `record ${upper.record.seq}, which would confirm it, was altered and names another hash`
    report(state, 'unlinked', seq, id, detail)
    return false
  }
  if (above !== undefined && above.shift < 0 && isIntact) {
    reportMissing(state, seq + 1, seq + 1)
    return true
  }
  const successor = above === undefined ? 'the head of the chain' : `record ${above.stored.record.seq}`
  const how = isIntact
    ? 'its hash was recomputed: '
    : computed === state.expectedHash
      ? 'only its hash was altered: '
      : ''
  report(state, 'altered', seq, id, `${how}${successor} names another hash`)
  return computed === state.expectedHash
}

function verifyPersonalData(state: State, { record, personal }: StoredRecord): void {
  if (personal === null) state.erased += 1
  else if (personalDataHash(personal.salt, personal) !== record.personalHash)
    report(state, 'altered', record.seq, record.id, 'its personal data do not match the hash in the chain')
}

/** Verifies that nothing is missing below the lowest record, and that it continues the anchor. */
function verifyBeginning(state: State, latestAnchor: ChainHead, lowestSeq: number): void {
  const { above, bounds, expectedHash, expectedSeq } = state
  // Records cut since the verification began are not missing; where it came further down, the older anchor still
  // counts.
  const anchor = expectedSeq > bounds.anchor.seq ? latestAnchor : bounds.anchor
  const firstSeq = Math.max(lowestSeq, anchor.seq + 1)
  if (expectedSeq >= firstSeq) {
    reportMissing(state, firstSeq, expectedSeq)
    return
  }
  if (expectedSeq !== anchor.seq || expectedHash === undefined || expectedHash === anchor.hash) return
  if (above?.isTrusted === false) return
  const names = anchor.seq === 0 ? 'it is the first but names a predecessor' : 'the anchor names another hash before it'
  const detail = above === undefined ? 'the anchor and the head of the chain name different hashes' : names
  report(state, 'unlinked', above?.stored.record.seq ?? anchor.seq, above?.stored.record.id ?? null, detail)
}
