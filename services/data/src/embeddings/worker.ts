import { randomUUID } from 'node:crypto'
import { integrationsInternal, Problem } from '@wp/contracts'
import type { Database } from '@wp/database'
import { backoffMs, createLoop, type Loop, type Metrics } from '@wp/events'
import type { InternalCalls, Logger } from '@wp/service'
import { keepChunks, readHashes, readWaiting } from '../store/embed-records.ts'
import {
  agreeOnSize,
  beginSources,
  countFailure,
  giveTurnBack,
  keepSpace,
  listUnchecked,
  postpone,
  type Turn,
  takeTurn,
} from '../store/embedding-turns.ts'
import { embedMissing, prepare } from './embed-batch.ts'
import { EmbeddingFailure } from './failure.ts'
import type { EmbeddingModel, EmbeddingModels } from './models.ts'

interface Options {
  database: Pick<Database, 'worker'>
  internal: InternalCalls
  models: EmbeddingModels
  log: Logger
  metrics: Metrics
  /** Default 1,000. */
  everyMs?: number
}

/** Batches of one source before others have their turn. */
const batchesOfTurn = 8
const requestTimeoutMs = 30_000
/** Pauses after failures, unless the provider says how long. */
const pauses = { firstMs: 1_000, maxMs: 300_000 }
const longestPauseMs = 900_000

/** Embeds records beside everything else: what is new and what changed, in whichever replica is free. */
export function createEmbedding({ database, internal, models, log, metrics, everyMs = 1_000 }: Options): Loop {
  const pool = database.worker

  async function pass(signal: AbortSignal): Promise<'more' | 'idle'> {
    for (const workspaceId of await listUnchecked(pool)) await checkOrLeave(workspaceId)
    await beginSources(pool)
    const turn = await takeTurn(pool, randomUUID())
    if (turn === undefined) return 'idle'
    try {
      await embedSome(turn, signal)
    } catch (error) {
      if (signal.aborted) return 'idle'
      // Whatever it is, it shall not keep other workspaces waiting.
      await pause(turn, error)
    } finally {
      await giveTurnBack(pool, turn)
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
      await keepSpace(pool, workspaceId, undefined)
    }
  }

  /** Asks integrations what the workspace is embedded with, and says that its search uses that. */
  async function check(workspaceId: string): Promise<EmbeddingModel | undefined> {
    const found = await models.of(workspaceId, { fresh: true })
    const use = { service: 'data', type: 'search', id: workspaceId } as const
    if (found !== undefined)
      await internal.callAsSystem(
        integrationsInternal.registerUse,
        { workspaceId },
        { params: { integration_id: found.integrationId }, query: {}, body: use },
      )
    const before = await keepSpace(pool, workspaceId, found)
    if (before !== undefined && before !== found?.integrationId)
      await internal.callAsSystem(
        integrationsInternal.releaseUse,
        { workspaceId },
        { params: { integration_id: before, ...use }, query: {}, body: undefined },
      )
    return found
  }

  async function embedSome(turn: Turn, signal: AbortSignal): Promise<void> {
    const { workspaceId } = turn
    const model = await models.of(workspaceId)
    // Something changed since it was asked: what there is now is for the next turn.
    if (model?.space !== turn.space) return void (await check(workspaceId))
    const embed = async (inputs: readonly string[]) => {
      const vectors = await models.embed(workspaceId, model, inputs, { timeoutMs: requestTimeoutMs, signal })
      metrics.count('data_embedded_chunks_total', {}, vectors.length)
      const size = vectors[0]?.length ?? 0
      const wanted = await agreeOnSize(pool, turn, size)
      if (wanted !== undefined && wanted !== size)
        throw new EmbeddingFailure('unusable', `The provider gave ${size} dimensions, where before it gave ${wanted}`)
      return vectors
    }
    let from = turn.nextDocument
    for (let batches = 0; batches < batchesOfTurn && !signal.aborted; batches++) {
      const waiting = await readWaiting(pool, { ...turn, nextDocument: from })
      if (waiting.records.length === 0 && waiting.nextDocument === from) return
      const prepared = prepare(turn.space, waiting)
      const documents = prepared.batch.records.map(({ document }) => document)
      const kept = await embedMissing(prepared, await readHashes(pool, turn, documents), embed)
      if (!(await keepChunks(pool, turn, prepared.batch, kept))) return
      from = prepared.batch.nextDocument
    }
  }

  async function pause({ workspaceId }: Turn, err: unknown): Promise<void> {
    const { kind, retryAfterMs } = err instanceof EmbeddingFailure ? err : { kind: 'own', retryAfterMs: undefined }
    const failures = await countFailure(pool, workspaceId)
    const pauseMs = Math.min(longestPauseMs, retryAfterMs ?? backoffMs(failures, pauses, Math.random()))
    await postpone(pool, workspaceId, pauseMs)
    log.warn({ err, workspaceId, failures, pauseMs }, 'records could not be embedded')
    metrics.count('data_embedding_failures_total', { kind })
    if (kind === 'unauthorized') await checkOrLeave(workspaceId)
  }

  return createLoop({ name: 'embedding of records', pass, pollMs: everyMs, log })
}
