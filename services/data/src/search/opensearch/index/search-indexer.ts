import type { Schedule } from '@wp/jobs/background'
import type { Log, Metrics } from '@wp/runtime'
import {
  claimSearchChanges,
  countSearchChanges,
  deleteSearchChanges,
  releaseSearchChanges,
  type SearchChange,
} from '../../../store/search-feed/search-changes.ts'
import { listSearchFeeds } from '../../../store/search-feed/search-feeds.ts'
import { type IndexAccess, indexRecords } from './index-records.ts'
import type { WriteResult } from './write-documents.ts'

interface Options extends IndexAccess {
  log: Log
  metrics: Metrics
}

/** Limits of a batch. Workspaces share its changes equally. */
const batchLimits = { workspaces: 50, changes: 500 }

/**
 * Returns the schedule that writes changed records to the search engine. Replicas share the work by claims on changes.
 */
export function searchIndexSchedule(options: Options & { pollMs: number }): Schedule {
  const { pool, metrics, pollMs } = options
  const pass = createIndexerPass(options)
  let passes = 0
  async function reportingPass(signal: AbortSignal): Promise<'more' | 'idle'> {
    if (passes++ % passesPerCount === 0) metrics.gauge('data_search_changes_waiting', await countSearchChanges(pool))
    return pass(signal)
  }
  return { name: 'search engine index', everyMs: pollMs, pass: reportingPass }
}

/** The changes that wait are counted now and then, because counting reads them. */
const passesPerCount = 20

/** Creates the function that writes one batch of changes. */
export function createIndexerPass(options: Options): (signal: AbortSignal) => Promise<'more' | 'idle'> {
  const { pool, metrics } = options
  let after = ''
  return async (signal) => {
    const changes = await claimSearchChanges(pool, after, batchLimits)
    if (changes.length === 0) {
      const isEnd = after === ''
      after = ''
      return isEnd ? 'idle' : 'more'
    }
    const workspaces = changes.map(({ workspaceId }) => workspaceId).toSorted()
    after = workspaces.at(-1) ?? ''
    await writeChanges(options, changes, signal)
    metrics.count('data_search_indexed_total', {}, changes.length)
    return 'more'
  }
}

/** Writes the records of changes; on failure, they are claimed again. */
async function writeChanges(options: Options, changes: readonly SearchChange[], signal: AbortSignal): Promise<void> {
  const { pool, log, metrics } = options
  let remaining = changes
  try {
    // Read after the claim: an index that was registered before one of the changes is among them.
    const feeds = await listSearchFeeds(pool)
    const names = feeds.map(({ indexName }) => indexName)
    for await (const results of indexRecords(options, names, changes, signal)) {
      for (const { write, reason } of results.flatMap(({ rejected }) => rejected)) {
        log.error({ event: 'search_index.record_rejected', recordId: write.recordId, reason }, 'record not indexed')
        metrics.count('data_search_rejected_total')
      }
      const done = doneIn(results, remaining)
      await deleteSearchChanges(pool, done)
      const ids = new Set(done.map(({ recordId }) => recordId))
      remaining = remaining.filter(({ recordId }) => !ids.has(recordId))
    }
    if (remaining.length > 0) throw new Error(`${remaining.length} records were not written to the search engine`)
  } catch (error) {
    await releaseSearchChanges(pool, remaining)
    throw error
  }
}

/** Returns the changes of a page that every index has. */
function doneIn(results: readonly WriteResult[], changes: readonly SearchChange[]): SearchChange[] {
  const failed = new Set(results.flatMap((result) => result.failed.map(({ recordId }) => recordId)))
  const handled = new Set(
    results
      .flatMap(({ written, rejected }) => [...written, ...rejected.map(({ write }) => write)])
      .map((write) => write.recordId),
  )
  return changes.filter(({ recordId }) => handled.has(recordId) && !failed.has(recordId))
}
