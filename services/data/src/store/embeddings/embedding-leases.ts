import { type Database, inWorkerTransaction, type Row } from '@wp/database'
import type { EmbeddingProgress } from '#db'

type WorkerPool = Database['worker']

/**
 * Inserts missing progress rows, for up to 100 sources. Each insert takes the lock that writers of records take: a
 * writer that comes later finds the row and records its changes, and earlier changes are among the rows to read.
 */
export async function createMissingProgress(pool: WorkerPool): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT data_source_id AS id FROM embedding_spaces AS spaces JOIN data_sources AS source USING (workspace_id)
      WHERE spaces.integration_id IS NOT NULL AND spaces.chosen_integration_id IS NOT NULL AND source.embed
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

/** A time-limited claim of one worker on embedding one source. */
export interface EmbeddingLease
  extends Row<EmbeddingProgress, 'dataSourceId' | 'workspaceId' | 'space' | 'nextDocument'> {
  token: string
}

/** A lease is not renewed: the turn of a source ends before it, at the latest. */
export const leaseSeconds = 90

/**
 * Claims a source with pending documents: of the workspace that was served least recently, the source that was. Resets
 * its progress if the embedding space of the workspace has changed.
 * @param busyWorkspaceIds workspaces that get no further lease
 * @returns undefined if no source is claimable
 */
export async function claimEmbeddingLease(
  pool: WorkerPool,
  token: string,
  busyWorkspaceIds: readonly string[] = [],
): Promise<EmbeddingLease | undefined> {
  return inWorkerTransaction(pool, async (client) => {
    const { rows } = await client.query<EmbeddingLease>(
      `WITH chosen AS (
         SELECT progress.data_source_id, spaces.space FROM embedding_progress AS progress
           JOIN embedding_spaces AS spaces USING (workspace_id)
           JOIN data_sources AS source USING (data_source_id)
           JOIN search_indexes AS index USING (data_source_id)
          WHERE source.embed AND spaces.integration_id IS NOT NULL AND spaces.chosen_integration_id IS NOT NULL
            AND spaces.retry_at <= now() AND progress.workspace_id <> ALL ($2::text[])
            AND (progress.lease_until IS NULL OR progress.lease_until < now())
            AND (progress.space <> spaces.space OR progress.next_document < index.next_document
                 OR EXISTS (SELECT FROM embedding_changes WHERE data_source_id = progress.data_source_id))
          ORDER BY spaces.last_leased_at, progress.last_leased_at LIMIT 1 FOR UPDATE OF progress SKIP LOCKED
       ), served AS (
         UPDATE embedding_spaces AS spaces SET last_leased_at = now()
           FROM chosen JOIN embedding_progress AS progress USING (data_source_id)
          WHERE spaces.workspace_id = progress.workspace_id
       )
       UPDATE embedding_progress AS progress
          SET lease_token = $1, lease_until = now() + ${leaseSeconds} * interval '1 second', last_leased_at = now(),
              next_document = CASE WHEN progress.space = chosen.space THEN next_document ELSE 0 END,
              version = version + 1, space = chosen.space
         FROM chosen WHERE progress.data_source_id = chosen.data_source_id
       RETURNING progress.data_source_id, workspace_id, progress.space,
                 next_document, lease_token AS token`,
      [token, busyWorkspaceIds],
    )
    return rows[0]
  })
}

export async function releaseEmbeddingLease(
  pool: WorkerPool,
  { dataSourceId, token }: Pick<EmbeddingLease, 'dataSourceId' | 'token'>,
): Promise<void> {
  await pool.query(
    `UPDATE embedding_progress SET lease_token = NULL, lease_until = NULL
      WHERE data_source_id = $1 AND lease_token = $2`,
    [dataSourceId, token],
  )
}
