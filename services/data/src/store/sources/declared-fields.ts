import type { Query } from '@wp/database'
import { type DeclaredFields, declaredFieldsOf, type FieldDeclarations } from '../../schema/declared-fields.ts'

/** What the sources of a workspace declare of their fields, of those that do. */
export async function listDeclaredFields(
  query: Query,
  workspaceId: string,
): Promise<ReadonlyMap<string, DeclaredFields>> {
  const rows = await query<{ id: string; config: FieldDeclarations }>(
    `SELECT data_source_id AS id, jsonb_build_object('fields', coalesce(config->'fields', '{}')) ||
              CASE WHEN config ? 'timestamp_field'
                   THEN jsonb_build_object('timestamp_field', config->'timestamp_field') ELSE '{}' END AS config
       FROM data_sources WHERE workspace_id = $1 AND config ?| '{fields,timestamp_field}'`,
    [workspaceId],
  )
  return new Map(rows.map(({ id, config }) => [id, declaredFieldsOf(config)]))
}
