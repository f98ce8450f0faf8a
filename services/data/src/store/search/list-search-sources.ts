import type { SearchLanguage, SourceConfig } from '@wp/contracts'
import type { Query, Row } from '@wp/database'
import type { DataSource, SearchIndex } from '#db'
import { type Kinds, maxFields } from '../sources/observed-fields.ts'

/** A source as a search knows it. */
export interface SearchSource extends Row<DataSource, 'dataSourceId' | 'recordCount'> {
  /** True if its records are restricted to aggregates, so that a search leaves them out. */
  isRestricted: boolean
  language: SearchLanguage | null
  declarations: Pick<SourceConfig, 'fields' | 'timestamp_field'>
  /** The kinds of values observed in each named field; a field that no record has is missing. */
  kinds: Readonly<Record<string, Kinds>>
  /** False if the source may have more fields than were observed. */
  isFullyObserved: boolean
  /** The index of its words and its statistics; null before its first record. */
  index: IndexStatistics | null
}

export interface IndexStatistics extends Row<SearchIndex, 'indexId' | 'documents' | 'length'> {
  /** One more than the highest document number, as in Lucene. */
  maxDoc: number
}

/**
 * Lists all sources of a workspace, by id.
 * @param fields names of fields; declarations and kinds are read if there are any
 */
export async function listSearchSources(
  query: Query,
  workspaceId: string,
  fields: readonly string[],
): Promise<SearchSource[]> {
  const rows = await query<Omit<SearchSource, 'index'> & (IndexStatistics | Record<keyof IndexStatistics, null>)>(
    `SELECT data_source_id, record_count, record_access <> 'full' AS is_restricted, config->>'language' AS language,
            CASE WHEN $2::text[] = '{}' THEN '{}'
                 ELSE jsonb_build_object('fields', coalesce(config->'fields', '{}')) ||
                      CASE WHEN config ? 'timestamp_field'
                           THEN jsonb_build_object('timestamp_field', config->'timestamp_field') ELSE '{}' END
            END AS declarations,
            CASE WHEN $2::text[] = '{}' THEN '{}'
                 ELSE (SELECT coalesce(jsonb_object_agg(field->>0, field->1), '{}')
                         FROM jsonb_array_elements(fields) AS observed (field) WHERE field->>0 = ANY ($2))
            END AS kinds,
            $2::text[] = '{}' OR jsonb_array_length(fields) < ${maxFields} AS is_fully_observed,
            index_id, next_document AS max_doc, documents, length
       FROM data_sources LEFT JOIN search_indexes USING (workspace_id, data_source_id)
      WHERE workspace_id = $1 ORDER BY data_source_id`,
    [workspaceId, fields],
    'list_search_sources',
  )
  return rows.map(({ indexId, maxDoc, documents, length, ...source }) => ({
    ...source,
    index: indexId === null ? null : { indexId, maxDoc, documents, length },
  }))
}
