import { afterAll, afterEach, describe, expect, it } from '@jest/globals'
import { createScheduleWorker } from '@wp/jobs/background'
import { noLog, noMetrics } from '@wp/runtime'
import type { InternalCalls } from '@wp/service'
import { eventually, untilAborted } from '@wp/testkit'
import type { EmbeddingModels } from '../../src/embeddings/embedding-models.ts'
import { embeddingSchedules } from '../../src/embeddings/embedding-schedules.ts'
import { claimEmbeddingLease, releaseEmbeddingLease } from '../../src/store/embeddings/embedding-leases.ts'
import { embeddingModel } from '../support/embedding-model.ts'
import { createEmbeddingTables, space } from '../support/embedding-tables.ts'

const tables = await createEmbeddingTables()
afterAll(() => tables.drop())
afterEach(async () => {
  await tables.pool.query('DELETE FROM data_sources')
  await tables.pool.query('DELETE FROM embedding_spaces')
})

describe('leases on sources to embed', () => {
  it('go by workspace, least recently served first, whatever the number of its sources', async () => {
    const hostile = await tables.addWorkspace(5)
    const quiet = await tables.addWorkspace(1)
    const claimed: (string | undefined)[] = []
    for (let nth = 0; nth < 6; nth++) {
      const lease = await claimEmbeddingLease(tables.pool, `token ${nth}`)
      claimed.push(lease?.workspaceId)
      if (lease !== undefined) await releaseEmbeddingLease(tables.pool, lease)
    }
    expect(claimed.toSorted()).toEqual([hostile, hostile, hostile, quiet, quiet, quiet].toSorted())
    for (const [nth, id] of claimed.entries()) if (nth > 0) expect(id).not.toBe(claimed[nth - 1])
  })

  it('go to no workspace that is busy, nor to one that has ended its choice', async () => {
    const hostile = await tables.addWorkspace(2)
    expect(await claimEmbeddingLease(tables.pool, 'token', [hostile])).toBeUndefined()
    await tables.pool.query('UPDATE embedding_spaces SET chosen_integration_id = NULL')
    expect(await claimEmbeddingLease(tables.pool, 'token')).toBeUndefined()
  })
})

/** Models whose `embed` is given; every workspace has the same one. */
const modelsWith = (embed: EmbeddingModels['embed']): EmbeddingModels => ({
  embed,
  find: async () => embeddingModel(space),
  inspect: () => Promise.reject(new Error('not used')),
  embedQuery: () => Promise.reject(new Error('not used')),
})

async function runWorker(embed: EmbeddingModels['embed'], turnMs: number, work: () => Promise<void>): Promise<void> {
  const database = { worker: tables.pool, onWake: () => () => {} }
  const workers = embeddingSchedules({
    database,
    internal: {} as InternalCalls, // no choice has to be looked up
    models: modelsWith(embed),
    log: noLog,
    metrics: noMetrics,
    everyMs: 10,
    concurrency: 2,
    turnMs,
  }).map((schedule) => createScheduleWorker(schedule, { database, log: noLog }))
  await Promise.all(workers.map((worker) => worker.start()))
  try {
    await work()
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()))
  }
}

const readFailures = async (workspaceId: string) => {
  const { rows } = await tables.pool.query<{ failures: number }>(
    'SELECT failures FROM embedding_spaces WHERE workspace_id = $1 AND retry_at > now()',
    [workspaceId],
  )
  return rows[0]?.failures ?? 0
}

const isEmbedded = async (workspaceId: string) => {
  const { rows } = await tables.pool.query('SELECT FROM record_chunks WHERE workspace_id = $1', [workspaceId])
  return rows.length === 1
}

describe('the turn of a source', () => {
  it('is aborted at its limit, and the workspace pauses if nothing was embedded', async () => {
    const workspaceId = await tables.addWorkspace(1)
    const signals: (AbortSignal | undefined)[] = []
    const embed: EmbeddingModels['embed'] = async (_workspace, _model, _inputs, { signal }) => {
      signals.push(signal)
      throw await untilAborted(signal)
    }
    await runWorker(embed, 100, async () => {
      await eventually(async () => (await readFailures(workspaceId)) > 0)
    })
    expect(signals[0]?.aborted).toBe(true)
    const { rows } = await tables.pool.query('SELECT lease_token FROM embedding_progress WHERE lease_token IS NOT NULL')
    expect(rows).toEqual([])
  })

  it('does not delay another workspace while a provider does not answer', async () => {
    const hostile = await tables.addWorkspace(5)
    const quiet = await tables.addWorkspace(1)
    const running: string[] = []
    const embed: EmbeddingModels['embed'] = async (workspaceId, _model, inputs, { signal }) => {
      if (workspaceId === quiet) return inputs.map(() => Float32Array.of(1))
      running.push(workspaceId)
      throw await untilAborted(signal)
    }
    await runWorker(embed, 60_000, async () => {
      await eventually(() => isEmbedded(quiet))
      await eventually(async () => running.length > 0)
      // One of its five sources, though two could be embedded at once.
      expect(running).toEqual([hostile])
    })
  })
})
