import type { Query } from '@wp/database'

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
