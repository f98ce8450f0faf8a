import { data, dataInternal, dataSearch } from '@wp/contracts'
import type { Schedule } from '@wp/jobs/background'
import { bindSurface, createCallerResolver, type Service } from '@wp/service'
import type { Context } from './context.ts'
import { createIntegrationsConsumer } from './embeddings/consume-integration-events.ts'
import { embeddingSchedules } from './embeddings/embedding-schedules.ts'
import * as operations from './operations/index.ts'
import { syncSchedule } from './schedule/sync-scheduler.ts'
import { segmentMergeSchedule } from './search/index/segment-merge.ts'
import { createVectorFields } from './search/opensearch/index/manage-index.ts'
import { searchIndexSchedule } from './search/opensearch/index/search-indexer.ts'
import { releaseJobs } from './sources/source-uses.ts'
import { feedRetention } from './store/feeds/row-feeds.ts'
import { sealedPseudonymKeys } from './store/pseudonym-keys.ts'
import { viewRetention } from './store/search/search-views.ts'
import { pauseSources } from './store/sources/sources.ts'
import { recordFailure } from './sync/finish-sync.ts'
import { queue as purges, runPurge } from './sync/purge-source.ts'
import { createSyncHandler } from './sync/run-sync.ts'
import { queue as syncs } from './sync/sync-job.ts'

const syncAttempts = 3
const purgeAttempts = 10
/** With one slot, a purge of one workspace would delay those of all others. */
const purgeSlots = 4

/** Longer than most functions: it is the list of what the service serves. */
export function createService(context: Context): Service {
  const { config, bus, internal, outbound, models, sealer, log, metrics, now } = context
  const database = context.database.background
  const leaseMs = config.JOB_LEASE_SECONDS * 1_000
  return {
    surfaces: [
      bindSurface(data, operations, context),
      bindSurface(dataSearch, operations, context),
      bindSurface(dataInternal, operations, context),
    ],
    database,
    bus,
    sealing: { sealer, stores: [sealedPseudonymKeys(database.worker)] },
    workspaceDeletion: {
      retained: { 'public.search_changes': 'ids of deleted records, until the search engine has deleted them, too' },
      onStarted: async ({ query }, workspaceId) => void (await pauseSources(query, workspaceId)),
    },
    retention: [viewRetention, feedRetention],
    schedules: [
      segmentMergeSchedule({ database }),
      syncSchedule({ database, log, now }),
      ...searchIndexSchedules(context),
      ...embeddingSchedules({
        database,
        internal,
        models,
        log,
        metrics,
        everyMs: config.EMBEDDING_POLL_MS,
        concurrency: config.EMBEDDING_CONCURRENCY,
      }),
    ],
    workers: [createIntegrationsConsumer({ database, bus, log, metrics })],
    jobs: [
      {
        leaseMs,
        queue: syncs,
        concurrency: config.SYNC_CONCURRENCY,
        maxAttempts: syncAttempts,
        resolveCaller: createCallerResolver(internal),
        handle: createSyncHandler({ ...context, database }),
        onFailed: recordFailure,
      },
      releaseJobs(internal, leaseMs),
      {
        leaseMs,
        queue: purges,
        concurrency: purgeSlots,
        maxAttempts: purgeAttempts,
        handle: runPurge,
      },
    ],
    close: () => outbound.close(),
  }
}

/** Returns the schedule that writes to the search engine, if there is one. */
function searchIndexSchedules({ config, database, openSearch: client, log, metrics }: Context): Schedule[] {
  if (client === undefined) return []
  const access = { pool: database.background.worker, client, vectorFields: createVectorFields(client) }
  return [searchIndexSchedule({ ...access, pollMs: config.OPENSEARCH_POLL_MS, log, metrics })]
}
