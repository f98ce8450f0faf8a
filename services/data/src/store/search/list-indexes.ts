import type { SearchLanguage } from '@wp/contracts'
import type { Query, Row } from '@wp/database'
import type { SearchIndex } from '#db'
import { textSearchConfiguration } from './text/text-parsing.ts'

/** A source and the statistics of its index. */
export interface IndexedSource extends Row<SearchIndex, 'dataSourceId' | 'indexId' | 'documents' | 'length'> {
  /** One more than the highest document number, as in Lucene. */
  maxDoc: number
  configuration: string
}

/**
 * Lists the sources of a workspace that have an index, by id. Indexes of deleted sources, and of sources
 * whose records are restricted, are left out.
 * @param language overrides the languages of the sources
 */
export async function listIndexes(
  query: Query,
  workspaceId: string,
  language: SearchLanguage | undefined,
): Promise<IndexedSource[]> {
  const rows = await query<Omit<IndexedSource, 'configuration'> & { language: SearchLanguage | null }>(
    `SELECT data_source_id, index_id, next_document AS max_doc, documents, length,
            config->>'language' AS language
       FROM data_sources JOIN search_indexes USING (workspace_id, data_source_id)
      WHERE workspace_id = $1 AND record_access = 'full' ORDER BY data_source_id`,
    [workspaceId],
    'list_search_indexes',
  )
  return rows.map(({ language: own, ...index }) => ({
    ...index,
    configuration: textSearchConfiguration(language ?? own),
  }))
}

/** Lists the sources of a workspace whose records are restricted to aggregates. @param ids undefined: of all sources */
export async function listRestrictedSources(
  query: Query,
  workspaceId: string,
  ids: readonly string[] | undefined,
): Promise<string[]> {
  const rows = await query<{ dataSourceId: string }>(
    `SELECT data_source_id FROM data_sources
      WHERE workspace_id = $1 AND record_access <> 'full' AND ($2::text[] IS NULL OR data_source_id = ANY ($2))`,
    [workspaceId, ids ?? null],
    'list_restricted_sources',
  )
  return rows.map(({ dataSourceId }) => dataSourceId)
}

/** Returns those ids that are not sources of the workspace. */
export async function findUnknownSources(query: Query, workspaceId: string, ids: readonly string[]): Promise<string[]> {
  const rows = await query<{ id: string }>(
    `SELECT id FROM unnest($2::text[]) AS given (id)
      WHERE NOT EXISTS (SELECT FROM data_sources WHERE workspace_id = $1 AND data_source_id = id)`,
    [workspaceId, ids],
  )
  return rows.map(({ id }) => id)
}
