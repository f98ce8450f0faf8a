import type { SearchLanguage, SourceConfig } from '@wp/contracts'
import type { Query, Row } from '@wp/database'
import type { DataSource } from '#db'
import { type Kinds, maxFields } from './observed-fields.ts'

/** A source of a search, with what is known of the fields that the request names. */
export interface SearchedSource extends Row<DataSource, 'dataSourceId' | 'recordCount'> {
  language: SearchLanguage | null
  declarations: Pick<SourceConfig, 'fields' | 'timestamp_field'>
  /** The kinds of values observed in each named field; a field that no record has is missing. */
  kinds: Readonly<Record<string, Kinds>>
  /** False if the source may have more fields than were observed. */
  isFullyObserved: boolean
}

/**
 * Lists sources of a workspace whose records are not restricted, by id.
 * @param ids undefined: all
 * @param fields names of fields
 */
export function listSearchedSources(
  query: Query,
  workspaceId: string,
  ids: readonly string[] | undefined,
  fields: readonly string[],
): Promise<SearchedSource[]> {
  return query<SearchedSource>(
    `SELECT data_source_id, record_count, config->>'language' AS language,
            jsonb_build_object('fields', coalesce(config->'fields', '{}')) ||
              CASE WHEN config ? 'timestamp_field'
                   THEN jsonb_build_object('timestamp_field', config->'timestamp_field') ELSE '{}' END AS declarations,
            (SELECT coalesce(jsonb_object_agg(field->>0, field->1), '{}')
               FROM jsonb_array_elements(fields) AS observed (field) WHERE field->>0 = ANY ($3::text[])) AS kinds,
            jsonb_array_length(fields) < ${maxFields} AS is_fully_observed
       FROM data_sources
      WHERE workspace_id = $1 AND record_access = 'full' AND ($2::text[] IS NULL OR data_source_id = ANY ($2))
      ORDER BY data_source_id`,
    [workspaceId, ids ?? null, fields],
  )
}

/** Field names that are offered as corrections. */
const maxNames = 2_000

/** Returns names of the fields of sources, observed or declared. */
export async function listFieldNames(
  query: Query,
  workspaceId: string,
  ids: readonly string[] | undefined,
): Promise<string[]> {
  const rows = await query<{ name: string }>(
    `SELECT DISTINCT named.name FROM data_sources CROSS JOIN LATERAL (
        SELECT field->>0 AS name FROM jsonb_array_elements(fields) AS observed (field)
         UNION ALL SELECT jsonb_object_keys(coalesce(config->'fields', '{}'))
       ) AS named
      WHERE workspace_id = $1 AND record_access = 'full' AND ($2::text[] IS NULL OR data_source_id = ANY ($2))
      ORDER BY named.name LIMIT ${maxNames}`,
    [workspaceId, ids ?? null],
  )
  return rows.map(({ name }) => name)
}
