import type { Database, Query } from '@wp/database'
import { inWorkerTransaction } from '../worker-transaction.ts'

type WorkerPool = Database['worker']

/** What a workspace's records are to be embedded with. */
export interface EmbeddingSpace {
  integrationId: string
  space: string
  model: string
  dimensions: number | undefined
}

/** Workspaces whose integrations are to be asked about: something happened to them, or it was long ago. */
export async function listUncheckedWorkspaces(pool: WorkerPool): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT workspace_id AS id FROM embedding_spaces
      WHERE checked_at IS NULL OR checked_at < now() - interval '10 minutes'
      ORDER BY checked_at NULLS FIRST LIMIT 20`,
  )
  return rows.map(({ id }) => id)
}

/**
 * Keeps what integrations answered. What is new, or was asked for, is tried at once.
 * @returns the integration there was before
 */
export async function saveEmbeddingSpace(pool: WorkerPool, workspaceId: string, found: EmbeddingSpace | undefined) {
  return inWorkerTransaction(pool, async (client) => {
    const { rows } = await client.query<{ integrationId: string | null }>(
      `SELECT integration_id AS "integrationId" FROM embedding_spaces WHERE workspace_id = $1 FOR UPDATE`,
      [workspaceId],
    )
    await client.query(
      `INSERT INTO embedding_spaces AS known (workspace_id, integration_id, space, model, dimensions, checked_at)
       VALUES ($1, $2, $3, $4, $5, now())
       ON CONFLICT (workspace_id) DO UPDATE
         SET integration_id = excluded.integration_id, checked_at = now(),
             space = coalesce(excluded.space, known.space), model = coalesce(excluded.model, known.model),
             dimensions = CASE WHEN coalesce(excluded.space, known.space) = known.space THEN known.dimensions
                               ELSE excluded.dimensions END,
             failures = CASE WHEN ${isChanged} THEN 0 ELSE known.failures END,
             retry_at = CASE WHEN ${isChanged} THEN now() ELSE known.retry_at END`,
      [
        workspaceId,
        found?.integrationId ?? null,
        found?.space ?? null,
        found?.model ?? null,
        found?.dimensions ?? null,
      ],
    )
    return rows[0]?.integrationId ?? undefined
  })
}

const isChanged = `(known.checked_at IS NULL OR (known.integration_id, known.space)
                   IS DISTINCT FROM (excluded.integration_id, coalesce(excluded.space, known.space)))`

/**
 * Begins sources of which nothing was embedded yet. Whoever writes records locks the source: who changes one later finds
 * it begun, and what was changed before is read.
 */
export async function createMissingProgress(pool: WorkerPool): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT data_source_id AS id FROM embedding_spaces AS spaces JOIN data_sources AS source USING (workspace_id)
      WHERE spaces.integration_id IS NOT NULL
        AND NOT EXISTS (SELECT FROM embedding_progress WHERE data_source_id = source.data_source_id) LIMIT 100`,
  )
  for (const { id } of rows)
    await inWorkerTransaction(pool, async (client) => {
      await client.query('SELECT FROM data_sources WHERE data_source_id = $1 FOR UPDATE', [id])
      await client.query(
        `INSERT INTO embedding_progress (data_source_id, workspace_id, space)
         SELECT data_source_id, workspace_id, spaces.space
           FROM data_sources JOIN embedding_spaces AS spaces USING (workspace_id)
          WHERE data_source_id = $1 ON CONFLICT DO NOTHING`,
        [id],
      )
    })
}

/** The right to embed one source, for a time. */
export interface EmbeddingLease {
  dataSourceId: string
  workspaceId: string
  space: string
  nextDocument: number
  token: string
}

export const leaseSeconds = 90

/** Takes a source that has something to embed, the one that waits longest; nobody else has it meanwhile. */
export async function claimEmbeddingLease(pool: WorkerPool, token: string): Promise<EmbeddingLease | undefined> {
  return inWorkerTransaction(pool, async (client) => {
    const { rows } = await client.query<EmbeddingLease>(
      `WITH chosen AS (
         SELECT progress.data_source_id, spaces.space FROM embedding_progress AS progress
           JOIN embedding_spaces AS spaces USING (workspace_id)
           JOIN search_indexes AS index USING (data_source_id)
          WHERE spaces.integration_id IS NOT NULL AND spaces.retry_at <= now()
            AND (progress.lease_until IS NULL OR progress.lease_until < now())
            AND (progress.space <> spaces.space OR progress.next_document < index.next_document
                 OR EXISTS (SELECT FROM embedding_changes WHERE data_source_id = progress.data_source_id))
          ORDER BY progress.turn_at LIMIT 1 FOR UPDATE OF progress SKIP LOCKED
       )
       UPDATE embedding_progress AS progress
          SET lease_token = $1, lease_until = now() + ${leaseSeconds} * interval '1 second', turn_at = now(),
              next_document = CASE WHEN progress.space = chosen.space THEN next_document ELSE 0 END,
              version = version + 1, space = chosen.space
         FROM chosen WHERE progress.data_source_id = chosen.data_source_id
       RETURNING progress.data_source_id AS "dataSourceId", workspace_id AS "workspaceId", progress.space,
                 next_document AS "nextDocument", lease_token AS token`,
      [token],
    )
    return rows[0]
  })
}

export async function releaseEmbeddingLease(pool: WorkerPool, { dataSourceId, token }: EmbeddingLease): Promise<void> {
  await pool.query(
    `UPDATE embedding_progress SET lease_token = NULL, lease_until = NULL
      WHERE data_source_id = $1 AND lease_token = $2`,
    [dataSourceId, token],
  )
}

/** @returns how many tries in a row have failed */
export async function incrementFailures(pool: WorkerPool, workspaceId: string): Promise<number> {
  const { rows } = await pool.query<{ failures: number }>(
    'UPDATE embedding_spaces SET failures = failures + 1 WHERE workspace_id = $1 RETURNING failures',
    [workspaceId],
  )
  return rows[0]?.failures ?? 1
}

/** Leaves a provider alone for a time. */
export async function scheduleRetry(pool: WorkerPool, workspaceId: string, pauseMs: number): Promise<void> {
  await pool.query(
    `UPDATE embedding_spaces SET retry_at = now() + $2 * interval '1 millisecond' WHERE workspace_id = $1`,
    [workspaceId, pauseMs],
  )
}

/**
 * What the vectors of a space are long, said by the first of them.
 * @param size of vectors that were just made
 * @returns how long they have to be; undefined when the workspace has another space by now
 */
export async function resolveDimensions(
  pool: WorkerPool,
  { workspaceId, space }: EmbeddingLease,
  size: number,
): Promise<number | undefined> {
  const { rows } = await pool.query<{ dimensions: number }>(
    `UPDATE embedding_spaces SET dimensions = coalesce(dimensions, $3), failures = 0
      WHERE workspace_id = $1 AND space = $2 AND (dimensions IS NULL OR failures > 0) RETURNING dimensions`,
    [workspaceId, space, size],
  )
  if (rows[0] !== undefined) return rows[0].dimensions
  const { rows: known } = await pool.query<{ dimensions: number }>(
    'SELECT dimensions FROM embedding_spaces WHERE workspace_id = $1 AND space = $2',
    [workspaceId, space],
  )
  return known[0]?.dimensions
}

/**
 * Has integrations asked anew what embeds the records of a workspace.
 * @param isKnown only where something did before
 */
export async function invalidateEmbeddingSpace(
  query: Query,
  workspaceId: string,
  { isKnown }: { isKnown: boolean },
): Promise<void> {
  await query(
    isKnown
      ? 'UPDATE embedding_spaces SET checked_at = NULL WHERE workspace_id = $1'
      : `INSERT INTO embedding_spaces (workspace_id) VALUES ($1)
         ON CONFLICT (workspace_id) DO UPDATE SET checked_at = NULL`,
    [workspaceId],
  )
}
