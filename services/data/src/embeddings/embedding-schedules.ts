import { randomUUID } from 'node:crypto'
import type { Database } from '@wp/database'
import type { Schedule } from '@wp/jobs/background'
import { backoffMs, jitteredMs, type Log, type Metrics, type PassResult } from '@wp/runtime'
import type { InternalCalls } from '@wp/service'
import { embeddingChoiceQueue } from '../store/embeddings/embedding-choice.ts'
import {
  claimEmbeddingLease,
  createMissingProgress,
  type EmbeddingLease,
  releaseEmbeddingLease,
} from '../store/embeddings/embedding-leases.ts'
import {
  hasEmbeddingChoices,
  listUncheckedWorkspaces,
  recordEmbeddingFailure,
} from '../store/embeddings/embedding-spaces.ts'
import { checkIntegration } from './check-integration.ts'
import { embedSource } from './embed-source.ts'
import { EmbeddingFailure } from './embedding-failure.ts'
import type { EmbeddingModels } from './embedding-models.ts'
import { createUnsavedVectors } from './unsaved-vectors.ts'

interface Options {
  database: Pick<Database, 'worker'>
  internal: InternalCalls
  models: EmbeddingModels
  log: Log
  metrics: Metrics
  everyMs: number
  /** Number of sources embedded at once, each of another workspace. */
  concurrency: number
  /** Limit of the turn of a source; default 60,000. Must end before the lease. */
  turnMs?: number
}

/** Polls of a process are so much rarer while no workspace has chosen an integration: a choice requests a pass. */
const idlePollFactor = 15

/**
 * Returns the schedules that embed new and changed records. Replicas share the work by leases on sources. Workspaces
 * take turns, and of one workspace a replica embeds one source at a time, so that a slow provider delays only its
 * workspace. Longer than most functions: the schedules share the leases and the models.
 */
export function embeddingSchedules(options: Options): Schedule[] {
  const { database, internal, models, log, metrics, everyMs, concurrency, turnMs = 60_000 } = options
  const pool = database.worker
  const dependencies = { pool, internal, models, log, metrics, unsaved: createUnsavedVectors() }
  const claim = createClaims(pool, everyMs)

  let hasChoices = false

  async function checkChoices(): Promise<PassResult> {
    hasChoices = await hasEmbeddingChoices(pool)
    if (!hasChoices) return jitteredMs(idlePollFactor * everyMs, Math.random())
    for (const workspaceId of await listUncheckedWorkspaces(pool)) await checkIntegration(dependencies, workspaceId)
    await createMissingProgress(pool)
    return 'idle'
  }

  async function takeTurn(stopping: AbortSignal): Promise<'more' | 'idle'> {
    const claimed = hasChoices ? await claim() : undefined
    if (claimed === undefined) return 'idle'
    const { lease, release } = claimed
    const turn = new AbortController()
    const timer = setTimeout(() => turn.abort(turnEnded(turnMs)), turnMs)
    let savedBatches = 0
    try {
      await embedLeased(lease, AbortSignal.any([stopping, turn.signal]), () => savedBatches++)
    } catch (error) {
      if (stopping.aborted) return 'idle'
      // Even an unexpected error pauses only this workspace. A turn with progress continues in the next one.
      if (!turn.signal.aborted) await pauseWorkspace(lease, error)
      else if (savedBatches === 0) await pauseWorkspace(lease, turn.signal.reason)
    } finally {
      clearTimeout(timer)
      await release()
    }
    return 'more'
  }

  async function embedLeased(lease: EmbeddingLease, signal: AbortSignal, onSaved: () => void): Promise<void> {
    const model = await models.find(lease.workspaceId)
    // The integration changed since it was checked: a later lease uses the new model.
    if (model?.space !== lease.space) await checkIntegration(dependencies, lease.workspaceId)
    else await embedSource(dependencies, lease, model, signal, onSaved)
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

  return [
    { name: 'embedding choices', everyMs, wakeQueue: embeddingChoiceQueue, pass: checkChoices },
    ...Array.from({ length: concurrency }, (_, nth) => ({
      name: `embedding of records ${nth + 1}`,
      everyMs,
      pass: takeTurn,
    })),
  ]
}

/**
 * Creates the function that claims a source of a workspace of which this process embeds none. An idle answer holds for
 * all slots, so that a process without work asks at most twice in `everyMs`, not once for each slot.
 */
function createClaims(pool: Database['worker'], everyMs: number) {
  const busy = new Set<string>()
  let lastClaim: Promise<unknown> = Promise.resolve()
  let idleUntil = 0
  async function claimNext() {
    if (performance.now() < idleUntil) return undefined
    const lease = await claimEmbeddingLease(pool, randomUUID(), [...busy])
    if (lease === undefined) {
      idleUntil = performance.now() + everyMs / 2
      return undefined
    }
    busy.add(lease.workspaceId)
    const release = async () => {
      idleUntil = 0
      busy.delete(lease.workspaceId)
      await releaseEmbeddingLease(pool, lease)
    }
    return { lease, release }
  }
  // One claim at a time: it must know what the one before has claimed.
  return () => {
    const claimed = lastClaim.then(claimNext)
    lastClaim = claimed.catch(() => {})
    return claimed
  }
}

const turnEnded = (turnMs: number) =>
  new EmbeddingFailure('unavailable', `The embedding provider made no batch within ${turnMs} ms`)

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
