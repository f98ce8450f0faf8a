import { randomUUID } from 'node:crypto'
import type { Database } from '@wp/database'
import { backoffMs, createLoop, type Log, type Loop, type Metrics } from '@wp/runtime'
import type { InternalCalls } from '@wp/service'
import {
  claimEmbeddingLease,
  createMissingProgress,
  type EmbeddingLease,
  releaseEmbeddingLease,
} from '../store/embeddings/embedding-leases.ts'
import { listUncheckedWorkspaces, recordEmbeddingFailure } from '../store/embeddings/embedding-spaces.ts'
import { checkIntegration } from './check-integration.ts'
import { embedSource } from './embed-source.ts'
import { EmbeddingFailure } from './embedding-failure.ts'
import type { EmbeddingModels } from './embedding-models.ts'

interface Options {
  database: Pick<Database, 'worker'>
  internal: InternalCalls
  models: EmbeddingModels
  log: Log
  metrics: Metrics
  /** Default 1,000. */
  pollMs?: number
}

/** Creates the worker that embeds new and changed records. Replicas share the work by leases on sources. */
export function createEmbeddingWorker({ database, internal, models, log, metrics, pollMs = 1_000 }: Options): Loop {
  const pool = database.worker
  const dependencies = { pool, internal, models, log, metrics }

  async function pass(signal: AbortSignal): Promise<'more' | 'idle'> {
    for (const workspaceId of await listUncheckedWorkspaces(pool)) await checkIntegration(dependencies, workspaceId)
    await createMissingProgress(pool)
    const lease = await claimEmbeddingLease(pool, randomUUID())
    if (lease === undefined) return 'idle'
    try {
      await embedLeased(lease, signal)
    } catch (error) {
      if (signal.aborted) return 'idle'
      // Even an unexpected error pauses only this workspace.
      await pauseWorkspace(lease, error)
    } finally {
      await releaseEmbeddingLease(pool, lease)
    }
    return 'more'
  }

  async function embedLeased(lease: EmbeddingLease, signal: AbortSignal): Promise<void> {
    const model = await models.find(lease.workspaceId)
    // The integration changed since it was checked: a later lease uses the new model.
    if (model?.space !== lease.space) await checkIntegration(dependencies, lease.workspaceId)
    else await embedSource(dependencies, lease, model, signal)
  }

  async function pauseWorkspace({ workspaceId }: EmbeddingLease, err: unknown): Promise<void> {
    const { failures, pauseMs } = await recordEmbeddingFailure(pool, workspaceId, (count) =>
      pauseAfterFailure(err, count, Math.random()),
    )
    log.warn({ event: 'embedding.failed', err, workspaceId, failures, pauseMs }, 'failed to embed records')
    const kind = err instanceof EmbeddingFailure ? err.kind : 'own'
    metrics.count('data_embedding_failures_total', { kind })
    if (kind === 'unauthorized') await checkIntegration(dependencies, workspaceId)
  }

  return createLoop({ name: 'embedding of records', pass, pollMs, log })
}

const backoff = { firstMs: 1_000, maxMs: 300_000 }
const maxPauseMs = 900_000

/**
 * Returns the pause before the next attempt, in milliseconds: what the provider asks for, at most 15 minutes, else
 * exponential backoff.
 * @param failures consecutive failures, from 1
 * @param random 0 to 1
 */
export function pauseAfterFailure(error: unknown, failures: number, random: number): number {
  const retryAfterMs = error instanceof EmbeddingFailure ? error.retryAfterMs : undefined
  return Math.min(maxPauseMs, retryAfterMs ?? backoffMs(failures, backoff, random))
}
