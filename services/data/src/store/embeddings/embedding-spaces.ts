import { type Database, inWorkerTransaction, type Query } from '@wp/database'

type WorkerPool = Database['worker']

/** The integration and model that embed the records of a workspace. */
export interface EmbeddingSpace {
  integrationId: string
  /** Identifies vectors that can be compared: one address, model and size. */
  space: string
  baseUrl: string
  model: string
  dimensions: number | undefined
}

/** Returns false if no workspace has a choice: there is nothing to embed. */
export async function hasEmbeddingChoices(pool: WorkerPool): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'has_embedding_choices',
    text: `SELECT FROM embedding_spaces WHERE chosen_integration_id IS NOT NULL OR integration_id IS NOT NULL LIMIT 1`,
  })
  return rowCount === 1
}

/** Lists up to 20 workspaces whose choice is new, invalidated, or was checked over 10 minutes ago. */
export async function listUncheckedWorkspaces(pool: WorkerPool): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT workspace_id AS id FROM embedding_spaces
      WHERE (chosen_integration_id IS NOT NULL OR integration_id IS NOT NULL)
        AND (checked_at IS NULL OR checked_at < now() - interval '10 minutes')
      ORDER BY checked_at NULLS FIRST LIMIT 20`,
  )
  return rows.map(({ id }) => id)
}

/**
 * Saves the embedding space of a workspace; undefined if the chosen integration cannot be used. A changed or
 * invalidated space is retried at once. A choice without an address gets the present one.
 * @returns the id of the integration before
 */
export async function saveEmbeddingSpace(
  pool: WorkerPool,
  workspaceId: string,
  found: EmbeddingSpace | undefined,
): Promise<string | undefined> {
  return inWorkerTransaction(pool, async (client) => {
    const { rows } = await client.query<{ integrationId: string | null }>(
      `SELECT integration_id FROM embedding_spaces WHERE workspace_id = $1 FOR UPDATE`,
      [workspaceId],
    )
    await client.query(
      `INSERT INTO embedding_spaces AS known (workspace_id, integration_id, space, model, dimensions, checked_at)
       VALUES ($1, $2, $3, $4, $5, now())
       ON CONFLICT (workspace_id) DO UPDATE
         SET integration_id = excluded.integration_id, checked_at = now(),
             chosen_base_url = CASE WHEN known.chosen_integration_id = excluded.integration_id
                                    THEN coalesce(known.chosen_base_url, $6) ELSE known.chosen_base_url END,
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
        found?.baseUrl ?? null,
      ],
    )
    return rows[0]?.integrationId ?? undefined
  })
}

const isChanged = `(known.checked_at IS NULL OR (known.integration_id, known.space)
                     IS DISTINCT FROM (excluded.integration_id, coalesce(excluded.space, known.space)))`

/** Invalidates the embedding space of a workspace, if it has one, so that its integration is looked up again. */
export async function invalidateEmbeddingSpace(query: Query, workspaceId: string): Promise<void> {
  await query('UPDATE embedding_spaces SET checked_at = NULL WHERE workspace_id = $1', [workspaceId])
}

/**
 * Counts a failed attempt and schedules the next one, in one transaction: a space with failures never lacks its pause.
 * @param pauseFor returns the pause, in milliseconds, after this many consecutive failures
 */
export async function recordEmbeddingFailure(
  pool: WorkerPool,
  workspaceId: string,
  pauseFor: (failures: number) => number,
): Promise<{ failures: number; pauseMs: number }> {
  return inWorkerTransaction(pool, async (client) => {
    const { rows } = await client.query<{ failures: number }>(
      'UPDATE embedding_spaces SET failures = failures + 1 WHERE workspace_id = $1 RETURNING failures',
      [workspaceId],
    )
    const failures = rows[0]?.failures ?? 1
    const pauseMs = pauseFor(failures)
    await client.query(
      `UPDATE embedding_spaces SET retry_at = now() + $2 * interval '1 millisecond' WHERE workspace_id = $1`,
      [workspaceId, pauseMs],
    )
    return { failures, pauseMs }
  })
}

/**
 * Resets the failure count of a space and returns its vector size. The first vector of a space determines the size.
 * @param size dimensions of a vector that was just made
 * @returns undefined if the workspace has another space by now
 */
export async function resolveDimensions(
  pool: WorkerPool,
  { workspaceId, space }: { workspaceId: string; space: string },
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
