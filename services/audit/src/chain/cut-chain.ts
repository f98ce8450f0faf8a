import type { Database } from '@wp/database'
import type { DocumentSigner } from '@wp/service'
import { operatorCaller } from '../operator-caller.ts'
import { findAnchor, platformChain } from '../store/chains.ts'
import type { ChainHead, StoredRecord } from '../store/record-types.ts'
import { readChainEnd, readDescending } from '../store/records.ts'
import { cutRecords, findChains, lockBeginning } from '../store/retention.ts'
import { genesisHash } from './record.ts'
import { isSignedAnchor, signAnchor } from './tokens.ts'
import { createChainVerifier } from './verify.ts'

const dayMs = 86_400_000
const chainsPerPage = 500

/**
 * Dependencies of the retention: a database connection with its role, the signing key of the audit log, and the time.
 */
export interface RetentionContext {
  database: Pick<Database, 'transact' | 'read'>
  signer: DocumentSigner
  now: () => Date
  /** Records of a transaction. */
  batchSize: number
}

/** Thrown when a part of a chain that is due does not verify: cutting it would hide the change. */
export class BrokenChainError extends Error {}

/**
 * Cuts the beginning of a chain, up to the first record that occurred at `before` or later, and writes a signed anchor
 * in its place. A batch and its anchor are one transaction, so the chain verifies whenever the process stops.
 *
 * @returns the number of records cut
 * @throws BrokenChainError if the records due do not verify; nothing of that batch is cut
 */
export async function cutChain(context: RetentionContext, chain: string, before: Date): Promise<number> {
  let total = 0
  for (;;) {
    const { cut, isComplete } = await cutBatch(context, chain, before)
    total += cut
    if (isComplete) return total
  }
}

async function cutBatch({ database, signer, now, batchSize }: RetentionContext, chain: string, before: Date) {
  const caller = operatorCaller('audit-retention', chain === platformChain ? null : chain)
  return await database.transact(caller, async (tx) => {
    const { query } = tx
    await lockBeginning(query, chain)
    const stored = await findAnchor(query, chain)
    if (stored !== undefined && !(await isSignedAnchor(signer, chain, stored)))
      throw new BrokenChainError('the anchor is not signed with a key of the audit log')
    const anchor: ChainHead = stored ?? { seq: 0, hash: genesisHash }
    const from = anchor.seq + 1
    const records = await readDescending(query, chain, {
      below: { seq: from + batchSize, id: '' },
      from,
      limit: batchSize,
    })
    const due = selectDue(records, before)
    const [last] = due
    if (last === undefined) return { cut: 0, isComplete: true }
    const { seq } = last.record
    const { head, nextPrevHash } = await readChainEnd(query, chain, seq)
    const lastHash = nextPrevHash ?? head?.hash
    assertIntact(due, { lastHash, lastSeq: seq, firstSeq: from, anchor })
    const cutAt = now()
    const token = await signAnchor(signer, chain, { seq, hash: last.hash }, cutAt.toISOString())
    const cut = await cutRecords(query, chain, from, { seq, hash: last.hash, cutAt, token })
    const changes = { through_seq: seq, hash: last.hash, records: cut, before: before.toISOString() }
    tx.emitAudit({ action: 'audit_log.cut', targets: [{ type: 'audit_log', id: chain }], changes })
    return { cut, isComplete: due.length < batchSize }
  })
}

/**
 * Returns the records due, in descending order of position: those below the first one that occurred at `before` or
 * later.
 * @param records in descending order of position
 */
export function selectDue(records: readonly StoredRecord[], before: Date): readonly StoredRecord[] {
  const firstKept = records.findLastIndex(({ record }) => Date.parse(record.occurredAt) >= before.getTime())
  return records.slice(firstKept + 1)
}

function assertIntact(due: readonly StoredRecord[], bounds: Parameters<typeof createChainVerifier>[0]): void {
  const verifier = createChainVerifier(bounds)
  for (const record of due) verifier.add(record)
  const [problem] = verifier.finish().problems
  if (problem !== undefined) throw new BrokenChainError(`${problem.kind} ${problem.seq}: ${problem.detail}`)
}

/** The result of a run. A chain that was not cut because it is broken has a `problem`. */
interface CutReport {
  chain: string
  cut: number
  problem?: string
}

/**
 * Cuts every chain at its retention, one after the other. A broken chain is reported and left as it is.
 * @param defaultDays retention of chains of which none is known; without it they are kept completely
 * @yields the chains of which something was cut, and the broken ones
 */
export async function* cutChains(context: RetentionContext, defaultDays?: number): AsyncGenerator<CutReport> {
  let after = ''
  for (;;) {
    const page = await context.database.read({ workspaceId: null }, (_db, query) =>
      findChains(query, after, chainsPerPage),
    )
    for (const { chain, days } of page) {
      after = chain
      const report = await cutOne(context, chain, days ?? defaultDays)
      if (report.cut > 0 || report.problem !== undefined) yield report
    }
    if (page.length < chainsPerPage) return
  }
}

async function cutOne(context: RetentionContext, chain: string, days: number | undefined): Promise<CutReport> {
  if (days === undefined) return { chain, cut: 0 }
  try {
    return { chain, cut: await cutChain(context, chain, new Date(context.now().getTime() - days * dayMs)) }
  } catch (error) {
    if (error instanceof BrokenChainError) return { chain, cut: 0, problem: error.message }
    throw error
  }
}
