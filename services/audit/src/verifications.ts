import { type AuditVerification, problem } from '@wp/contracts'
import type { Database } from '@wp/database'
import { FairSemaphore, SemaphoreTimeout } from '@wp/runtime'
import type { DocumentSigner } from '@wp/service'
import type { z } from 'zod'
import { genesisHash } from './chain/record.ts'
import { compareSignedHead, contradictionOf, isSignedAnchor, type KeptHead } from './chain/tokens.ts'
import { type ChainVerifier, createChainVerifier } from './chain/verify.ts'
import { findAnchor } from './store/chains.ts'
import type { ChainHead, StoredAnchor } from './store/record-types.ts'
import { type RecordPosition, readChainEnd, readDescending } from './store/records.ts'

export type Verification = z.output<typeof AuditVerification>
type Problem = Verification['problems'][number]

/** A part of a chain, by positions, both inclusive. Default: from its beginning, to its end. */
export interface SeqRange {
  from?: number | undefined
  to?: number | undefined
}

/** Verifies stored chains. */
export interface Verifications {
  /**
   * Verifies a part of a chain, from its end, and at most the maximum of records. Concurrent calls for the same part
   * share one verification; others wait, one of a workspace at a time, so that a workspace does not delay the log of
   * others.
   * @param kept a signed head that the caller kept, to be compared with the chain
   * @throws Problem `rate_limited` if other verifications of the workspace did not end in time
   */
  verify(chain: string, part: SeqRange, kept?: KeptHead): Promise<Verification>
}

export const verificationLimits = {
  /** Records read per query. Bounds memory; the connection is released between queries. */
  batchSize: 1_000,
  /** Records of one call: some seconds of work, so that a request ends within the timeout of the edge. */
  maxRecords: 150_000,
  /** Verifications at once in a process; of a workspace one. */
  concurrency: 4,
  maxWaitMs: 10_000,
}
type Limits = typeof verificationLimits

interface Source {
  database: Pick<Database, 'read'>
  signer: DocumentSigner
  chain: string
  limits: Limits
}

export function createVerifications(
  database: Pick<Database, 'read'>,
  signer: DocumentSigner,
  limits: Limits = verificationLimits,
): Verifications {
  const { concurrency: size, maxWaitMs } = limits
  const semaphore = new FairSemaphore({ size, maxPerKey: 1, maxWaitMs })
  const running = new Map<string, Promise<Verification>>()

  async function verifyInTurn(chain: string, part: SeqRange, kept: KeptHead | undefined): Promise<Verification> {
    const release = await semaphore.acquire(chain).catch((error: unknown) => {
      throw error instanceof SemaphoreTimeout ? busyProblem() : error
    })
    return await verify({ database, signer, chain, limits }, part, kept).finally(release)
  }

  return {
    verify(chain, part, kept) {
      const key = JSON.stringify([chain, part.from ?? null, part.to ?? null, kept ?? null])
      const begun = running.get(key) ?? verifyInTurn(chain, part, kept).finally(() => running.delete(key))
      running.set(key, begun)
      return begun
    },
  }
}

const busyProblem = () =>
  problem('rate_limited', {
    detail: 'Other verifications of the workspace are running; send one at a time',
    headers: { 'retry-after': '10' },
  })

async function verify(source: Source, { from = 1, to }: SeqRange, kept: KeptHead | undefined): Promise<Verification> {
  const { database, chain } = source
  const scope = { workspaceId: chain }
  const { head, lastSeq, nextPrevHash, anchor } = await database.read(scope, async (_db, query) => ({
    // The anchor first: a chain that is cut in between is longer than the anchor says, and the last read tells.
    anchor: await findAnchor(query, chain),
    ...(await readChainEnd(query, chain, to)),
  }))
  const begin = await openAnchor(source, anchor)
  const end = expectedEnd(head, lastSeq, nextPrevHash, to)
  const firstSeq = Math.max(from, begin.anchor.seq + 1)
  const verifier = createChainVerifier({ ...end, firstSeq, anchor: begin.anchor })
  // Records beyond the head are verified too, unless a part was requested: they were inserted.
  const start = Math.max(end.lastSeq, to === undefined ? lastSeq : 0) + 1
  const { foundHash, restSeq } = await addRecords(source, verifier, { start, from, firstSeq, keptSeq: kept?.seq })
  const latest = await openAnchor(source, await database.read(scope, (_db, query) => findAnchor(query, chain)))
  const lowestSeq = restSeq === null ? firstSeq : restSeq + 1
  const verdict = verifier.finish(latest.anchor, lowestSeq)
  const part = { foundHash, firstSeq: lowestSeq, lastSeq: end.lastSeq, anchor: latest.anchor, isEnd: to === undefined }
  const status = kept && compareSignedHead(kept, part)
  const problems = [
    ...missingHead(head, verdict.last_seq),
    ...latest.problems,
    ...(kept !== undefined && status === 'contradicted' ? [contradictionOf(kept, foundHash)] : []),
  ]
  return {
    ...withProblems(verdict, problems),
    next_to_seq: restSeq,
    head_hash: head?.hash ?? null,
    anchor: latest.view,
    ...(kept === undefined || status === undefined
      ? {}
      : { signed_head: { seq: kept.seq, hash: kept.hash, signed_at: kept.signedAt, status } }),
  }
}

/**
 * Adds the records of a part to a verifier, from its end, until the maximum of records is reached.
 * @returns the hash of the record at the position of a kept head, and the end of the rest; null if nothing is left
 */
async function addRecords(
  { database, chain, limits: { batchSize, maxRecords } }: Source,
  verifier: ChainVerifier,
  { start, from, firstSeq, keptSeq }: { start: number; from: number; firstSeq: number; keptSeq: number | undefined },
): Promise<{ foundHash: string | undefined; restSeq: number | null }> {
  let foundHash: string | undefined
  let below: RecordPosition = { seq: start, id: '' }
  for (let added = 0; ; ) {
    const records = await database.read({ workspaceId: chain }, (_db, query) =>
      readDescending(query, chain, { below, from: from === 1 ? Number.MIN_SAFE_INTEGER : from, limit: batchSize }),
    )
    for (const record of records) {
      verifier.add(record)
      if (record.record.seq === keptSeq) foundHash = record.hash
    }
    const last = records.at(-1)
    if (last === undefined || records.length < batchSize) return { foundHash, restSeq: null }
    added += records.length
    below = last.record
    // What is below the first position was inserted: it is found by the same call.
    if (added >= maxRecords && below.seq > firstSeq) return { foundHash, restSeq: below.seq - 1 }
  }
}

interface OpenedAnchor {
  anchor: ChainHead
  view: Verification['anchor']
  problems: Problem[]
}

/** Returns a stored anchor if it is signed. Otherwise the chain has to be complete. */
async function openAnchor({ signer, chain }: Source, stored: StoredAnchor | undefined): Promise<OpenedAnchor> {
  const none = { anchor: { seq: 0, hash: genesisHash }, view: null }
  if (stored === undefined) return { ...none, problems: [] }
  const { seq, hash, cutAt } = stored
  if (await isSignedAnchor(signer, chain, stored))
    return { anchor: { seq, hash }, view: { seq, hash, cut_at: cutAt.toISOString() }, problems: [] }
  const detail = 'the anchor is not signed with a key of the audit log'
  return { ...none, problems: [{ seq, id: null, kind: 'altered', detail }] }
}

type End = { lastHash: string | undefined; lastSeq: number }

/** Returns what confirms the last record: the head of the chain, or the record after the part. */
function expectedEnd(
  head: ChainHead | undefined,
  lastSeq: number,
  nextPrevHash: string | null,
  to: number | undefined,
): End {
  if (to !== undefined && to < (head?.seq ?? lastSeq)) return { lastHash: nextPrevHash ?? undefined, lastSeq: to }
  return { lastHash: head?.hash, lastSeq: head?.seq ?? lastSeq }
}

/** Returns a problem if there are records without a head: the chain may have been longer. */
function missingHead(head: ChainHead | undefined, lastSeq: number | null): Problem[] {
  if (head !== undefined || lastSeq === null) return []
  return [{ seq: lastSeq + 1, id: null, kind: 'missing', detail: 'the head of the chain is missing' }]
}

function withProblems<Verdict extends Pick<Verification, 'status' | 'problem_count' | 'problems'>>(
  verdict: Verdict,
  further: readonly Problem[],
): Verdict {
  if (further.length === 0) return verdict
  const problems = [...verdict.problems, ...further].sort((a, b) => a.seq - b.seq)
  return { ...verdict, status: 'broken', problem_count: verdict.problem_count + further.length, problems }
}
