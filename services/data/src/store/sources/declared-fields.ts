import type { SourceConfig } from '@wp/contracts'
import type { Query } from '@wp/database'

/** The field declarations of a source. */
export interface DeclaringSource {
  dataSourceId: string
  declarations: Pick<SourceConfig, 'fields' | 'timestamp_field'>
}

/** Lists the sources of a workspace that declare field types. */
export function listDeclaringSources(query: Query, workspaceId: string): Promise<DeclaringSource[]> {
  return query<DeclaringSource>(
    `SELECT data_source_id AS "dataSourceId", jsonb_build_object('fields', coalesce(config->'fields', '{}')) ||
              CASE WHEN config ? 'timestamp_field'
                   THEN jsonb_build_object('timestamp_field', config->'timestamp_field') ELSE '{}' END AS declarations
       FROM data_sources WHERE workspace_id = $1 AND config ?| '{fields,timestamp_field}'`,
    [workspaceId],
  )
}
