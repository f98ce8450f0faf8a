import { type Log, noMetrics } from '@wp/runtime'
import { countSearchChanges } from '../../../store/search-feed/search-changes.ts'
import {
  addSearchFeed,
  listRecordsAfter,
  listSearchFeeds,
  type RecordOwner,
  removeSearchFeed,
  type SearchFeed,
  saveFillProgress,
} from '../../../store/search-feed/search-feeds.ts'
import type { IndexSize } from './index-definition.ts'
import { type IndexAccess, indexRecords } from './index-records.ts'
import { createIndex, deleteIndex, hasIndex, publishIndex } from './manage-index.ts'
import { createIndexerPass } from './search-indexer.ts'

interface Rebuild extends IndexAccess {
  /** The alias by which the index is searched; its name begins with it. */
  alias: string
  size: IndexSize
  log: Log
  /** Reports one line of progress. */
  print(line: string): void
  /** Milliseconds since 1970. */
  now(): number
}

const recordsPerStep = 500
/** Any change has a higher version, so a record that changes during the rebuild keeps its newer document. */
const fillVersion = '1'

/**
 * Creates an index, fills it with all records, and searches it from then on; the index before is deleted. The platform
 * may run: changes go to both indexes. If it was interrupted, the next call continues.
 */
export async function rebuildIndex(rebuild: Rebuild): Promise<void> {
  const { pool, client, alias, print } = rebuild
  const feed = await openFeed(rebuild)
  await fill(rebuild, feed)
  await writeWaitingChanges(rebuild)
  await publishIndex(client, alias, feed.indexName)
  await saveFillProgress(pool, feed)
  for (const { indexName } of await listSearchFeeds(pool))
    if (indexName !== feed.indexName) {
      await removeSearchFeed(pool, indexName)
      await deleteIndex(client, indexName)
      print(`${indexName}: deleted`)
    }
  print(`${feed.indexName}: searched from now on`)
}

/** Deletes every index; changes are no longer recorded. */
export async function removeIndexes({ pool, client, print }: Rebuild): Promise<void> {
  for (const { indexName } of await listSearchFeeds(pool)) {
    await removeSearchFeed(pool, indexName)
    await deleteIndex(client, indexName)
    print(`${indexName}: deleted`)
  }
}

/** Returns the index of an interrupted rebuild, or a new one. Forgets indexes that the search engine has lost. */
async function openFeed({ pool, client, alias, size, print, now }: Rebuild): Promise<SearchFeed> {
  let interrupted: SearchFeed | undefined
  for (const feed of await listSearchFeeds(pool))
    if (!(await hasIndex(client, feed.indexName))) {
      await removeSearchFeed(pool, feed.indexName)
      print(`${feed.indexName}: is lost`)
    } else if (!feed.isFilled) interrupted = feed
  if (interrupted !== undefined) {
    print(`${interrupted.indexName}: continued`)
    return interrupted
  }
  const indexName = `${alias}-${new Date(now()).toISOString().replaceAll(/\D/g, '').slice(0, 17)}`
  await createIndex(client, indexName, size)
  await addSearchFeed(pool, indexName)
  print(`${indexName}: created`)
  return { indexName, filledTo: '', isFilled: false }
}

async function fill(rebuild: Rebuild, feed: SearchFeed): Promise<void> {
  const { pool, log, print } = rebuild
  let [filled, rejected] = [0, 0]
  for (;;) {
    const records = await listRecordsAfter(pool, feed.filledTo, recordsPerStep)
    const last = records.at(-1)
    if (last === undefined) break
    await fillStep(rebuild, feed.indexName, records, (recordId, reason) => {
      rejected++
      log.error({ event: 'search_index.record_rejected', recordId, reason }, 'record not indexed')
    })
    feed.filledTo = last.recordId
    filled += records.length
    await saveFillProgress(pool, feed)
    if (filled % (20 * recordsPerStep) === 0) print(`${feed.indexName}: ${filled} records`)
  }
  feed.isFilled = true
  print(`${feed.indexName}: ${filled} records written${rejected === 0 ? '' : `, ${rejected} rejected`}`)
}

async function fillStep(
  rebuild: Rebuild,
  indexName: string,
  records: readonly RecordOwner[],
  onRejected: (recordId: string, reason: string) => void,
): Promise<void> {
  const wanted = records.map((record) => ({ ...record, version: fillVersion }))
  for await (const [result] of indexRecords(rebuild, [indexName], wanted)) {
    for (const { write, reason } of result?.rejected ?? []) onRejected(write.recordId, reason)
    const failed = result?.failed.length ?? 0
    if (failed > 0) throw new Error(`${failed} records were not written; run the command again to continue`)
  }
}

/** Writes what has changed since, also if no process of the platform runs. */
async function writeWaitingChanges(rebuild: Rebuild): Promise<void> {
  const pass = createIndexerPass({ ...rebuild, metrics: noMetrics })
  const signal = new AbortController().signal
  while ((await pass(signal)) === 'more') {}
  const waiting = await countSearchChanges(rebuild.pool)
  if (waiting > 0) rebuild.print(`${waiting} changes are being written by the platform`)
}
