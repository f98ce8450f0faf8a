import type { Log } from '@wp/runtime'
import type { InternalCalls } from '@wp/service'
import { reportIntegrationUse } from '@wp/service/integration-uses'
import { LRUCache } from 'lru-cache'
import type { EmbeddingFailure } from './embedding-failure.ts'
import type { EmbeddingModel } from './embedding-model.ts'

type Outcome = 'ok' | 'unauthorized' | 'error'

/** An outcome that repeats is reported once in this time. */
const repeatMs = 60_000
const maxReports = 10_000

interface Options {
  internal: InternalCalls
  log: Log
  /** Milliseconds since 1970. */
  now: () => number
}

/**
 * Reports the outcomes of embedding requests to the integrations service. Never rejects: the next report repeats it.
 */
export type UsageReporter = (workspaceId: string, model: EmbeddingModel, failure?: EmbeddingFailure) => Promise<void>

export function createUsageReporter({ internal, log, now }: Options): UsageReporter {
  const reported = new LRUCache<string, true>({ max: maxReports, ttl: repeatMs, ttlResolution: 0, perf: { now } })
  return async (workspaceId, { integrationId, revision }, failure) => {
    const outcome = outcomeOf(failure)
    const key = (of: Outcome) => `${integrationId} ${revision} ${of}`
    if (reported.has(key(outcome))) return
    reported.set(key(outcome), true)
    // A success after a failure is reported at once.
    if (outcome !== 'ok') reported.delete(key('ok'))
    const body = { outcome, revision, ...(failure === undefined ? {} : { message: failure.message }) }
    await reportIntegrationUse({ internal, log }, { workspaceId }, integrationId, body)
  }
}

function outcomeOf(failure: EmbeddingFailure | undefined): Outcome {
  if (failure === undefined) return 'ok'
  return failure.kind === 'unauthorized' ? 'unauthorized' : 'error'
}
