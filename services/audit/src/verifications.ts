import type { AuditVerification } from '@wp/contracts'
import type { Database } from '@wp/database'
import type { z } from 'zod'
import { createChainVerifier } from './chain/verify.ts'
import { type RecordPosition, readChainEnd, readDescending } from './store/records.ts'

export type Verification = z.output<typeof AuditVerification>

/** A part of a chain, by positions, both inclusive. Default: from its beginning, to its end. */
export interface SeqRange {
  from?: number | undefined
  to?: number | undefined
}

/** Verifies stored chains. */
export interface Verifications {
  /** Verifies a part of a chain. Concurrent calls for the same part share one verification. */
  verify(chain: string, part: SeqRange): Promise<Verification>
}

/** Records read per query. Bounds memory; the connection is released between queries. */
const batchSize = 1_000

export function createVerifications(database: Pick<Database, 'read'>): Verifications {
  const running = new Map<string, Promise<Verification>>()
  return {
    verify(chain, part) {
      const key = JSON.stringify([chain, part.from ?? null, part.to ?? null])
      const begun = running.get(key) ?? verify(database, chain, part).finally(() => running.delete(key))
      running.set(key, begun)
      return begun
    },
  }
}

async function verify(
  database: Pick<Database, 'read'>,
  chain: string,
  { from = 1, to }: SeqRange,
): Promise<Verification> {
  const scope = { workspaceId: chain }
  const { head, lastSeq, nextPrevHash } = await database.read(scope, (_db, query) => readChainEnd(query, chain, to))
  const end = expectedEnd(head, lastSeq, nextPrevHash, to)
  const verifier = createChainVerifier({ ...end, firstSeq: from })
  // Records beyond the head are verified too, unless a part was requested: they were inserted.
  let below: RecordPosition = { seq: Math.max(end.lastSeq, to === undefined ? lastSeq : 0) + 1, id: '' }
  for (;;) {
    const records = await database.read(scope, (_db, query) =>
      readDescending(query, chain, { below, from: from === 1 ? Number.MIN_SAFE_INTEGER : from, limit: batchSize }),
    )
    for (const record of records) verifier.add(record)
    const last = records.at(-1)
    if (last === undefined || records.length < batchSize) break
    below = last.record
  }
  return withHead(verifier.finish(), head?.hash ?? null)
}

type End = { lastHash: string | undefined; lastSeq: number }

/** Returns what confirms the last record: the head of the chain, or the record after the part. */
function expectedEnd(
  head: { seq: number; hash: string } | undefined,
  lastSeq: number,
  nextPrevHash: string | null,
  to: number | undefined,
): End {
  if (to !== undefined && to < (head?.seq ?? lastSeq)) return { lastHash: nextPrevHash ?? undefined, lastSeq: to }
  return { lastHash: head?.hash, lastSeq: head?.seq ?? lastSeq }
}

/** Adds the hash of the head. Without a head, the chain may have been longer, which is reported as a problem. */
function withHead(verdict: Omit<Verification, 'head_hash'>, headHash: string | null): Verification {
  if (headHash !== null || verdict.last_seq === null) return { ...verdict, head_hash: headHash }
  const detail = 'the head of the chain is missing'
  const problem = { seq: verdict.last_seq + 1, id: null, kind: 'missing' as const, detail }
  const problems = [...verdict.problems, problem]
  return { ...verdict, status: 'broken', problem_count: verdict.problem_count + 1, problems, head_hash: null }
}
