import type { AuditVerification, ChainProblem } from '@wp/contracts'
import type { z } from 'zod'
import { type ChainedRecord, commitmentOf, genesis, hashOf, type Personal } from './record.ts'

/** A record as it is found. */
export interface FoundRecord {
  record: ChainedRecord
  hash: string
  /** Null where it was erased. */
  personal: (Personal & { salt: string }) | null
}

/** What a chain is held against. */
export interface Expectations {
  /** The hash of the last record that shall be there: where the chain ends, or what its successor was chained to. */
  lastHash: string | undefined
  /** Its place; 0: there shall be none. */
  lastSeq: number
  /** The place of the first. */
  firstSeq: number
}

type Problem = z.output<typeof ChainProblem>
export type Verdict = Omit<z.output<typeof AuditVerification>, 'head_hash'>

/** Walks a chain from its end to its beginning. */
export interface Verifier {
  /** Records in falling order of their places. */
  take(found: FoundRecord): void
  /** After the last one. */
  end(): Verdict
}

const mostProblems = 100

/** A record that was passed, for judging the one below. */
interface Passed {
  found: FoundRecord
  /** Whether it is what was recorded, so that it vouches for the one below. */
  isSound: boolean
  /** By how many places it was moved. */
  shift: number
}

/**
 * Says which records of a chain are not what was recorded, which are gone, which were added.
 *
 * The walk is downward, because trust is: the end of the chain vouches for the last record, by its hash, and each
 * record that is sound for the one below. So where two do not fit together it is known which is wrong, also when its
 * own hash was made anew. A record that the chain passes by (the one above is chained to the one below) was inserted.
 */
export function createVerifier(expected: Expectations): Verifier {
  const problems: Problem[] = []
  let problemCount = 0
  let checked = 0
  let erased = 0
  let lowest: number | null = null
  let highest: number | null = null
  /** The record whose turn comes when the one below it is known. */
  let waiting: FoundRecord | undefined
  let above: Passed | undefined
  let wantedHash = expected.lastHash
  let wantedSeq = expected.lastSeq
  let moved: { from: number; to: number; id: string; shift: number } | undefined

  function report(kind: Problem['kind'], seq: number, id: string | null, detail: string): void {
    problemCount += 1
    if (problems.length < mostProblems) problems.push({ seq, id, kind, detail })
  }

  function judge(found: FoundRecord, below: FoundRecord | undefined): void {
    const { record, hash } = found
    const { seq, id } = record
    const isLinked = wantedHash !== undefined && hash === wantedHash
    const isPassedBy = wantedHash !== undefined && below?.hash === wantedHash
    // Where those above were moved up, something was put in below them.
    const isBelowMoved = above !== undefined && above.shift > 0
    if (!isLinked && (isPassedBy || isBelowMoved || seq > wantedSeq || seq < 1)) {
      const detail = seq > expected.lastSeq ? 'it stands beyond the end of the chain' : 'the chain passes it by'
      report('inserted', seq, id, detail)
      return
    }
    if (!isLinked && seq < wantedSeq) {
      reportMissing(seq + 1, wantedSeq)
      above = undefined
      wantedHash = undefined
    }
    const computed = hashOf(record)
    const shift = computed === hash ? 0 : problemCount < mostProblems ? shiftOf(found) : undefined
    const isWhole = shift !== undefined
    if (shift !== undefined && shift !== 0) noteMoved(record, shift)
    const isSound = isLinked || wantedHash === undefined ? isWhole : judgeUnlinked(found, computed, isWhole)
    if (!isSound && (isLinked || wantedHash === undefined)) report('altered', seq, id, 'it does not match its hash')
    if (isSound) judgePersonal(found)
    above = { found, isSound, shift: shift ?? 0 }
    wantedHash = record.prevHash
    wantedSeq = seq - 1
  }

  /** It stands in its place, and is not what the one above was chained to. @returns whether it is sound all the same */
  function judgeUnlinked(found: FoundRecord, computed: string, isWhole: boolean): boolean {
    const { seq, id } = found.record
    if (above !== undefined && !above.isSound) {
      // Was nothing of the one above altered but what it says of this one?
      const { record, hash } = above.found
      if (hashOf({ ...record, prevHash: found.hash }) === hash) {
        if (!isWhole) report('altered', seq, id, 'it does not match its hash')
        return isWhole
      }
      report('unlinked', seq, id, `record ${record.seq}, which would confirm it, was altered and names another hash`)
      return false
    }
    if (above !== undefined && above.shift < 0 && isWhole) {
      reportMissing(seq + 1, seq + 1)
      return true
    }
    const by = above === undefined ? 'the end of the chain' : `record ${above.found.record.seq}`
    const what = isWhole ? 'its hash was made anew: ' : computed === wantedHash ? 'its hash alone was altered: ' : ''
    report('altered', seq, id, `${what}${by} was chained to another`)
    return computed === wantedHash
  }

  function judgePersonal({ record, personal }: FoundRecord): void {
    if (personal === null) erased += 1
    else if (commitmentOf(personal.salt, personal) !== record.personalHash)
      report('altered', record.seq, record.id, 'the personal data beside it do not match what the chain holds of them')
  }

  function reportMissing(from: number, to: number): void {
    const detail = from === to ? `record ${from} is gone` : `records ${from} to ${to} are gone`
    report('missing', from, null, detail)
  }

  function noteMoved({ seq, id }: ChainedRecord, shift: number): void {
    if (moved === undefined || moved.shift !== shift || moved.from !== seq + 1) {
      reportMoved()
      moved = { from: seq, to: seq, id, shift }
    } else moved = { ...moved, from: seq, id }
  }

  function reportMoved(): void {
    if (moved === undefined) return
    const { from, to, id, shift } = moved
    const which = from === to ? `record ${from} was` : `records ${from} to ${to} were`
    report('altered', from, id, `${which} moved by ${shift}, and otherwise left as recorded`)
    moved = undefined
  }

  return {
    take(found) {
      checked += 1
      highest ??= found.record.seq
      lowest = found.record.seq
      if (waiting !== undefined) judge(waiting, found)
      waiting = found
    },
    end() {
      if (waiting !== undefined) judge(waiting, undefined)
      waiting = undefined
      reportMoved()
      if (wantedSeq >= expected.firstSeq) reportMissing(expected.firstSeq, wantedSeq)
      else if (above?.isSound && expected.firstSeq === 1 && wantedHash !== undefined && wantedHash !== genesis)
        report('unlinked', above.found.record.seq, above.found.record.id, 'it is the first, and follows another')
      return {
        status: problemCount === 0 ? 'ok' : 'broken',
        checked,
        first_seq: lowest,
        last_seq: highest,
        erased,
        problem_count: problemCount,
        problems: problems.sort((a, b) => a.seq - b.seq),
      }
    },
  }
}

/** Places a record may have been moved by and still be recognised. */
const mostShift = 8

/** By how many places a record was moved, if that is all that was done to it; undefined: it is not. */
function shiftOf({ record, hash }: FoundRecord): number | undefined {
  for (let by = 1; by <= mostShift; by += 1)
    for (const shift of [by, -by]) if (hashOf({ ...record, seq: record.seq - shift }) === hash) return shift
  return undefined
}
