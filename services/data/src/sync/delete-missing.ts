import { listRecordKeys, readKeyHashes } from '../store/records/record-keys.ts'
import { deleteParts, listMissingParts } from '../store/sources/source-parts.ts'
import type { SourceKey } from '../store/sources/sources.ts'
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

const maxRecordsPerStep = 1_000

/** Counts the records that `deleteMissing` would delete. */
export async function countMissing(session: CrawlSession): Promise<number> {
  let count = 0
  for await (const ids of listMissingRecords(session, [undefined])) count += ids.length
  for await (const partIds of listPartPages(session))
    for await (const ids of listMissingRecords(session, partIds)) count += ids.length
  return count
}

/** Deletes all records that a complete crawl did not read, and all parts that it did not see. */
export async function deleteMissing(session: CrawlSession, state: CrawlState): Promise<CrawlState> {
  let current = state
  const deleteStep = async (ids: readonly string[], partIds: readonly number[] = []) => {
    current = await runCrawlStep(session, current, async (tx, locked) => {
      const next = await deleteInStep(tx, locked, current, ids)
      if (partIds.length > 0) await deleteParts(tx.query, locked, partIds)
      return next
    })
  }
  const withoutPart = await forEachStep(listMissingRecords(session, [undefined]), deleteStep)
  if (withoutPart.length > 0) await deleteStep(withoutPart)
  for await (const partIds of listPartPages(session))
    await deleteStep(await forEachStep(listMissingRecords(session, partIds), deleteStep), partIds)
  return current
}

/**
 * Calls `step` for each 1,000 ids.
 * @returns up to 1,000 ids left for another step
 */
export async function forEachStep(
  pages: AsyncIterable<readonly string[]>,
  step: (ids: readonly string[]) => Promise<void>,
): Promise<string[]> {
  let remaining: string[] = []
  for await (const ids of pages) {
    remaining.push(...ids)
    for (; remaining.length > maxRecordsPerStep; remaining = remaining.slice(maxRecordsPerStep))
      await step(remaining.slice(0, maxRecordsPerStep))
  }
  return remaining
}

/**
 * Lists, in pages, the ids of records that existed before the crawl and were not read by it.
 * @param partIds undefined stands for the records without a part
 */
export async function* listMissingRecords(
  { database, source, control, existingKeys }: CrawlSession,
  partIds: readonly (number | undefined)[],
): AsyncGenerator<string[]> {
  if (existingKeys === undefined) return
  for (const partId of partIds)
    for (let after = ''; existingKeys.countUnseen() > 0; ) {
      control.signal.throwIfAborted()
      const records = await database.read(source, (_db, query) => listRecordKeys(query, source, partId, after))
      const last = records.at(-1)
      if (last === undefined) break
      const missing = records.filter(({ key }) => existingKeys.isMissing(key))
      if (missing.length > 0) yield missing.map(({ recordId }) => recordId)
      after = last.key
    }
}

/** Lists, in pages, the ids of the parts that the crawl did not see. */
async function* listPartPages({ database, source, crawlId }: CrawlSession): AsyncGenerator<number[]> {
  for (let after = 0; ; ) {
    const ids = await database.read(source, (_db, query) => listMissingParts(query, source, crawlId, after))
    const last = ids.at(-1)
    if (last === undefined) return
    yield ids
    after = last
  }
}
