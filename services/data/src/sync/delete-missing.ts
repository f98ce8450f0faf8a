import { listRecordKeys, readKeyHashes } from '../store/records/record-keys.ts'
import type { SourceKey } from '../store/sources/source-key.ts'
import { deleteParts, listMissingParts } from '../store/sources/source-parts.ts'
import { collectExistingKeys, type ExistingKeys } from './batching/existing-keys.ts'
import { type CrawlSession, deleteInStep, runCrawlStep } from './crawl-session.ts'
import type { CrawlState } from './sync-job.ts'

type Database = CrawlSession['database']

/** Reads the keys of all records of a source. */
export const readExistingKeys = (database: Database, source: SourceKey, signal?: AbortSignal): Promise<ExistingKeys> =>
  collectExistingKeys(readHashPages(database, source, signal))

async function* readHashPages(database: Database, source: SourceKey, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  for (let after = ''; ; ) {
    signal?.throwIfAborted()
    const page = await database.read(source, (_db, query) => readKeyHashes(query, source, after))
    if (page === undefined) return
    yield page.hashes
    after = page.last
  }
}

const maxDeletionsPerStep = 1_000

/**
 * Deletes the records of parts that the crawl did not read, in steps of 1,000.
 * @param partIds undefined stands for the records without a part
 * @returns up to 1,000 ids left to delete together with the next step
 */
export async function deleteMissingFrom(
  session: CrawlSession,
  state: CrawlState,
  partIds: readonly (number | undefined)[],
): Promise<{ state: CrawlState; remaining: string[] }> {
  const { existingKeys } = session
  let [current, remaining] = [state, [] as string[]]
  if (existingKeys === undefined) return { state: current, remaining }
  for (const partId of partIds)
    for await (const ids of listMissingRecords(session, existingKeys, partId)) {
      remaining.push(...ids)
      for (; remaining.length > maxDeletionsPerStep; remaining = remaining.slice(maxDeletionsPerStep))
        current = await deleteStep(session, current, remaining.slice(0, maxDeletionsPerStep))
    }
  return { state: current, remaining }
}

/** Deletes all records that a complete crawl did not read, and all parts that it did not see. */
export async function deleteMissing(session: CrawlSession, state: CrawlState): Promise<CrawlState> {
  const { database, source, crawlId } = session
  const withoutPart = await deleteMissingFrom(session, state, [undefined])
  let current = withoutPart.state
  if (withoutPart.remaining.length > 0) current = await deleteStep(session, current, withoutPart.remaining)
  for (;;) {
    const partIds = await database.read(source, (_db, query) => listMissingParts(query, source, crawlId))
    if (partIds.length === 0) return current
    const ofParts = await deleteMissingFrom(session, current, partIds)
    current = await runCrawlStep(session, ofParts.state, async (tx, locked) => {
      const next = await deleteInStep(tx, locked, ofParts.state, ofParts.remaining)
      await deleteParts(tx.query, locked, partIds)
      return next
    })
  }
}

const deleteStep = (session: CrawlSession, state: CrawlState, recordIds: readonly string[]): Promise<CrawlState> =>
  runCrawlStep(session, state, (tx, locked) => deleteInStep(tx, locked, state, recordIds))

/** Lists, in batches, the ids of records that existed before the crawl and were not read by it. */
async function* listMissingRecords(
  { database, source, control }: CrawlSession,
  existingKeys: ExistingKeys,
  partId: number | undefined,
): AsyncGenerator<string[]> {
  for (let after = ''; existingKeys.countUnseen() > 0; ) {
    control.signal.throwIfAborted()
    const records = await database.read(source, (_db, query) => listRecordKeys(query, source, partId, after))
    const last = records.at(-1)
    if (last === undefined) return
    const missing = records.filter(({ key }) => existingKeys.isMissing(key))
    if (missing.length > 0) yield missing.map(({ recordId }) => recordId)
    after = last.key
  }
}
