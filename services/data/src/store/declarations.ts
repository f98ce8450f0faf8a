import type { Query } from '@wp/database'
import { type Declarations, type Declared, declaredBy } from '../schema/declared.ts'

/** What the sources of a workspace declare of their fields, of those that do. */
export async function listDeclared(query: Query, workspaceId: string): Promise<ReadonlyMap<string, Declared>> {
  const rows = await query<{ id: string; config: Declarations }>(
    `SELECT data_source_id AS id, jsonb_build_object('fields', coalesce(config->'fields', '{}')) ||
              CASE WHEN config ? 'timestamp_field'
                   THEN jsonb_build_object('timestamp_field', config->'timestamp_field') ELSE '{}' END AS config
       FROM data_sources WHERE workspace_id = $1 AND config ?| '{fields,timestamp_field}'`,
    [workspaceId],
  )
  return new Map(rows.map(({ id, config }) => [id, declaredBy(config)]))
}
