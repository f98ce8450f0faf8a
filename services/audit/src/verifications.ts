import type { AuditVerification } from '@wp/contracts'
import type { Database } from '@wp/database'
import type { z } from 'zod'
import { createVerifier } from './chain/verify.ts'
import { endOf, type Place, readDownward } from './store/records.ts'

export type Verification = z.output<typeof AuditVerification>

/** Part of a chain; what is left out reaches to its beginning or end. */
export interface Part {
  from?: number | undefined
  to?: number | undefined
}

/** Verifies chains as they lie in the database. */
export interface Verifications {
  /** Who asks for what is being verified already is given that answer. */
  of(chain: string, part: Part): Promise<Verification>
}

/** Records read at a time: however long a chain is, no more of them are in memory, and no connection is kept between. */
const batch = 1_000

export function createVerifications(database: Pick<Database, 'read'>): Verifications {
  const underWay = new Map<string, Promise<Verification>>()
  return {
    of(chain, part) {
      const key = JSON.stringify([chain, part.from ?? null, part.to ?? null])
      const begun = underWay.get(key) ?? verify(database, chain, part).finally(() => underWay.delete(key))
      underWay.set(key, begun)
      return begun
    },
  }
}

async function verify(database: Pick<Database, 'read'>, chain: string, { from = 1, to }: Part): Promise<Verification> {
  const scope = { workspaceId: chain }
  const { head, lastSeq, nextPrevHash } = await database.read(scope, (_db, query) => endOf(query, chain, to))
  const end = expectedEnd(head, lastSeq, nextPrevHash, to)
  const verifier = createVerifier({ ...end, firstSeq: from })
  // Records that are there beyond the end are looked at as well, unless only a part is asked for.
  let below: Place = { seq: Math.max(end.lastSeq, to === undefined ? lastSeq : 0) + 1, id: '' }
  for (;;) {
    const records = await database.read(scope, (_db, query) =>
      readDownward(query, chain, { below, from: from === 1 ? Number.MIN_SAFE_INTEGER : from, limit: batch }),
    )
    for (const record of records) verifier.take(record)
    const last = records.at(-1)
    if (last === undefined || records.length < batch) break
    below = last.record
  }
  return withHead(verifier.end(), head?.hash ?? null)
}

type End = { lastHash: string | undefined; lastSeq: number }

/** What vouches for the last record: the end of the chain, or the record after the part. */
function expectedEnd(
  head: { seq: number; hash: string } | undefined,
  lastSeq: number,
  nextPrevHash: string | null,
  to: number | undefined,
): End {
  if (to !== undefined && to < (head?.seq ?? lastSeq)) return { lastHash: nextPrevHash ?? undefined, lastSeq: to }
  return { lastHash: head?.hash, lastSeq: head?.seq ?? lastSeq }
}

/** Without its end, a chain can be verified in itself, but not whether it was longer. */
function withHead(verdict: Omit<Verification, 'head_hash'>, headHash: string | null): Verification {
  if (headHash !== null || verdict.last_seq === null) return { ...verdict, head_hash: headHash }
  const detail = 'it is not known where the chain ends'
  const problem = { seq: verdict.last_seq + 1, id: null, kind: 'missing' as const, detail }
  const problems = [...verdict.problems, problem]
  return { ...verdict, status: 'broken', problem_count: verdict.problem_count + 1, problems, head_hash: null }
}
