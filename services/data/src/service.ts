import { data, dataInternal, dataSearch } from '@wp/contracts'
import { createRelay, createRetention } from '@wp/events'
import { createJobRunner } from '@wp/jobs'
import { bind, createCallerResolver, type Service } from '@wp/service'
import { createReleaseRun, releaseLater, queue as releases } from './connections/releases.ts'
import type { Context } from './context.ts'
import { createIntegrationsConsumer } from './embeddings/hear-integrations.ts'
import { createEmbedding } from './embeddings/worker.ts'
import { internalOperations, operations, searchOperations } from './operations/index.ts'
import { createSchedule } from './schedule/schedule.ts'
import { createFold } from './search/fold.ts'
import { announceFailure } from './sync/conclude.ts'
import { queue as removals, runRemoval } from './sync/removal.ts'
import { createSyncRun } from './sync/run-sync.ts'
import { queue as syncs } from './sync/sync.ts'

const syncAttempts = 3
const removalAttempts = 10
/** Until integrations answer: a use that nobody lets go of would keep an integration from being deleted. */
const releaseAttempts = Number.MAX_SAFE_INTEGER

export function createService(context: Context): Service {
  const { config, database, bus, internal, outbound, models, log, metrics, now } = context
  const common = { database, bus, service: 'data', log, metrics }
  const leaseMs = config.JOB_LEASE_SECONDS * 1_000
  const jobs = { ...common, leaseMs, heartbeatMs: leaseMs / 3 }
  return {
    surfaces: [
      bind(data, operations, context),
      bind(dataSearch, searchOperations, context),
      bind(dataInternal, internalOperations, context),
    ],
    workers: [
      createRelay(common),
      createRetention(common),
      createFold({ database, log }),
      createIntegrationsConsumer({ database, bus, log, metrics }),
      createEmbedding({ database, internal, models, log, metrics, everyMs: config.EMBEDDING_POLL_MS }),
      createSchedule({ database, log, now }),
      createJobRunner({
        ...jobs,
        queue: syncs,
        concurrency: config.SYNC_CONCURRENCY,
        maxAttempts: syncAttempts,
        resolveCaller: createCallerResolver(internal),
        handle: createSyncRun(context),
        onFailed: announceFailure,
      }),
      createJobRunner({
        ...jobs,
        queue: releases,
        maxAttempts: releaseAttempts,
        handle: createReleaseRun(internal),
        onFailed: releaseLater,
      }),
      createJobRunner({ ...jobs, queue: removals, maxAttempts: removalAttempts, handle: runRemoval }),
    ],
    ready: database.hasSchema,
    async close() {
      outbound.close()
      await bus.close()
      await database.close()
    },
  }
}
