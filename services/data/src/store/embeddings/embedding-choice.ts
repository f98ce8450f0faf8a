import type { Query } from '@wp/database'

/** The integration and model that a workspace has chosen for embeddings. */
export interface EmbeddingChoice {
  integrationId: string
  /** Null: the model of the integration. */
  model: string | null
  /** The address when the integration was chosen; null if it was chosen before addresses were recorded. */
  baseUrl: string | null
}

const choiceColumns = `chosen_integration_id AS integration_id, chosen_model AS model, chosen_base_url AS base_url`

/** @returns undefined if nothing is chosen */
export async function readEmbeddingChoice(query: Query, workspaceId: string): Promise<EmbeddingChoice | undefined> {
  const [choice] = await query<EmbeddingChoice>(
    `SELECT ${choiceColumns} FROM embedding_spaces WHERE workspace_id = $1 AND chosen_integration_id IS NOT NULL`,
    [workspaceId],
  )
  return choice
}

/** Queue that a transaction wakes when it has saved a choice. */
export const embeddingChoiceQueue = 'embedding_choices'

/**
 * Saves the choice of a workspace. Leases of its sources end, so that no batch is saved, and no further one sent, that
 * was begun under another choice; the embedding worker looks the integration up before it embeds anything.
 */
export async function saveEmbeddingChoice(
  query: Query,
  workspaceId: string,
  choice: EmbeddingChoice | undefined,
): Promise<void> {
  // In this order: a claim locks a source's progress before the workspace.
  await query('UPDATE embedding_progress SET lease_token = NULL, lease_until = NULL WHERE workspace_id = $1', [
    workspaceId,
  ])
  await query(
    `INSERT INTO embedding_spaces (workspace_id, chosen_integration_id, chosen_model, chosen_base_url)
     VALUES ($1, $2, $3, $4)
     ON CONFLICT (workspace_id) DO UPDATE
       SET chosen_integration_id = $2, chosen_model = $3, chosen_base_url = $4, checked_at = NULL`,
    [workspaceId, choice?.integrationId ?? null, choice?.model ?? null, choice?.baseUrl ?? null],
  )
}

/** The choice of a workspace and the progress of its embedding. */
export interface EmbeddingState {
  integrationId: string | null
  model: string | null
  isChecked: boolean
  isUsable: boolean
  sources: number
  records: { embedded: number; pending: number }
}

export async function readEmbeddingState(query: Query, workspaceId: string): Promise<EmbeddingState> {
  const [space] = await query<Pick<EmbeddingState, 'integrationId' | 'model' | 'isChecked' | 'isUsable'>>(
    `SELECT chosen_integration_id AS integration_id, chosen_model AS model, checked_at IS NOT NULL AS is_checked,
            integration_id IS NOT NULL AS is_usable
       FROM embedding_spaces WHERE workspace_id = $1`,
    [workspaceId],
  )
  const [progress] = await query<{ sources: number; documents: number; pending: number }>(
    `SELECT count(*) AS sources, coalesce(sum(documents), 0)::bigint AS documents,
            coalesce(sum(least(documents, pending)), 0)::bigint AS pending
       FROM (
         SELECT coalesce(index.documents, 0) AS documents,
                CASE WHEN progress.space = spaces.space AND spaces.chosen_integration_id IS NOT NULL
                     THEN index.next_document - progress.next_document
                          + (SELECT count(*) FROM embedding_changes AS change
                              WHERE change.data_source_id = source.data_source_id)
                     ELSE coalesce(index.documents, 0) END AS pending
           FROM data_sources AS source
           LEFT JOIN search_indexes AS index USING (workspace_id, data_source_id)
           LEFT JOIN embedding_progress AS progress USING (workspace_id, data_source_id)
           LEFT JOIN embedding_spaces AS spaces USING (workspace_id)
          WHERE workspace_id = $1 AND source.embed
       ) AS embedded`,
    [workspaceId],
  )
  const { sources = 0, documents = 0, pending = 0 } = progress ?? {}
  return {
    ...(space ?? { integrationId: null, model: null, isChecked: false, isUsable: false }),
    sources,
    records: { embedded: documents - pending, pending },
  }
}
