import { backoffMs, createLoop, type Loop, type Metrics } from '@wp/runtime'
import { randomUUID } from 'node:crypto'
import { integrationsInternal, Problem } from '@wp/contracts'
import type { Database } from '@wp/database'
import type { InternalCalls, Logger } from '@wp/service'
import {
  claimEmbeddingLease,
  createMissingProgress,
  type EmbeddingLease,
  incrementFailures,
  listUncheckedWorkspaces,
  releaseEmbeddingLease,
  resolveDimensions,
  saveEmbeddingSpace,
  scheduleRetry,
} from '../store/embeddings/embedding-leases.ts'
import { readChunkHashes, readPendingBatch, saveChunks } from '../store/embeddings/record-chunks.ts'
import { embedMissing, prepareBatch } from './embed-batch.ts'
import { EmbeddingFailure } from './embedding-failure.ts'
import type { EmbeddingModel, EmbeddingModels } from './embedding-models.ts'

interface Options {
  database: Pick<Database, 'worker'>
  internal: InternalCalls
  models: EmbeddingModels
  log: Logger
  metrics: Metrics
  /** Default 1,000. */
  pollMs?: number
}

/** Batches of one source before others have their turn. */
const batchesPerLease = 8
const requestTimeoutMs = 30_000
/** Pauses after failures, unless the provider says how long. */
const pauses = { firstMs: 1_000, maxMs: 300_000 }
const maxPauseMs = 900_000

/** Embeds records beside everything else: what is new and what changed, in whichever replica is free. */
export function createEmbeddingWorker({
  database,
  internal,
  models,
  log,
  metrics,
  pollMs: everyMs = 1_000,
}: Options): Loop {
  const pool = database.worker

  async function pass(signal: AbortSignal): Promise<'more' | 'idle'> {
    for (const workspaceId of await listUncheckedWorkspaces(pool)) await checkOrLeave(workspaceId)
    await createMissingProgress(pool)
    const turn = await claimEmbeddingLease(pool, randomUUID())
    if (turn === undefined) return 'idle'
    try {
      await embedSome(turn, signal)
    } catch (error) {
      if (signal.aborted) return 'idle'
      // Whatever it is, it shall not keep other workspaces waiting.
      await pause(turn, error)
    } finally {
      await releaseEmbeddingLease(pool, turn)
    }
    return 'more'
  }

  /** What is wrong with one workspace's integration is no matter for the others; that integrations are away is. */
  async function checkOrLeave(workspaceId: string): Promise<void> {
    try {
      await check(workspaceId)
    } catch (err) {
      if (!(err instanceof Problem) || err.status >= 500) throw err
      log.warn({ err, workspaceId }, 'what embeds the records of a workspace cannot be used')
      await saveEmbeddingSpace(pool, workspaceId, undefined)
    }
  }

  /** Asks integrations what the workspace is embedded with, and says that its search uses that. */
  async function check(workspaceId: string): Promise<EmbeddingModel | undefined> {
    const found = await models.find(workspaceId, { fresh: true })
    const use = { service: 'data', type: 'search', id: workspaceId } as const
    if (found !== undefined)
      await internal.callAsSystem(
        integrationsInternal.registerUse,
        { workspaceId },
        { params: { integration_id: found.integrationId }, query: {}, body: use },
      )
    const before = await saveEmbeddingSpace(pool, workspaceId, found)
    if (before !== undefined && before !== found?.integrationId)
      await internal.callAsSystem(
        integrationsInternal.releaseUse,
        { workspaceId },
        { params: { integration_id: before, ...use }, query: {}, body: undefined },
      )
    return found
  }

  async function embedSome(turn: EmbeddingLease, signal: AbortSignal): Promise<void> {
    const { workspaceId } = turn
    const model = await models.find(workspaceId)
    // Something changed since it was asked: what there is now is for the next turn.
    if (model?.space !== turn.space) return void (await check(workspaceId))
    const embed = async (inputs: readonly string[]) => {
      const vectors = await models.embed(workspaceId, model, inputs, { timeoutMs: requestTimeoutMs, signal })
      metrics.count('data_embedded_chunks_total', {}, vectors.length)
      const size = vectors[0]?.length ?? 0
      const wanted = await resolveDimensions(pool, turn, size)
      if (wanted !== undefined && wanted !== size)
        throw new EmbeddingFailure('unusable', `The provider gave ${size} dimensions, where before it gave ${wanted}`)
      return vectors
    }
    let from = turn.nextDocument
    for (let batches = 0; batches < batchesPerLease && !signal.aborted; batches++) {
      const waiting = await readPendingBatch(pool, { ...turn, nextDocument: from })
      if (waiting.records.length === 0 && waiting.nextDocument === from) return
      const prepared = prepareBatch(turn.space, waiting)
      const documents = prepared.batch.records.map(({ document }) => document)
      const kept = await embedMissing(prepared, await readChunkHashes(pool, turn, documents), embed)
      if (!(await saveChunks(pool, turn, prepared.batch, kept))) return
      from = prepared.batch.nextDocument
    }
  }

  async function pause({ workspaceId }: EmbeddingLease, err: unknown): Promise<void> {
    const { kind, retryAfterMs } = err instanceof EmbeddingFailure ? err : { kind: 'own', retryAfterMs: undefined }
    const failures = await incrementFailures(pool, workspaceId)
    const pauseMs = Math.min(maxPauseMs, retryAfterMs ?? backoffMs(failures, pauses, Math.random()))
    await scheduleRetry(pool, workspaceId, pauseMs)
    log.warn({ err, workspaceId, failures, pauseMs }, 'records could not be embedded')
    metrics.count('data_embedding_failures_total', { kind })
    if (kind === 'unauthorized') await checkOrLeave(workspaceId)
  }

  return createLoop({ name: 'embedding of records', pass, pollMs: everyMs, log })
}
