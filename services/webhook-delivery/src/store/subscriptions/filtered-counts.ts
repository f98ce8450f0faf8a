import type { Query } from '@wp/database'

/** Adds to the events that did not pass the filters of subscriptions. Sorted, so that replicas do not deadlock. */
export async function addFilteredCounts(
  query: Query,
  workspaceId: string,
  counts: ReadonlyMap<string, number>,
): Promise<void> {
  if (counts.size === 0) return
  const sorted = [...counts].sort(([first], [second]) => (first < second ? -1 : 1))
  await query(
    `INSERT INTO filtered_counts AS known (workspace_id, webhook_id, filtered)
     SELECT $1, * FROM unnest($2::text[], $3::integer[])
     ON CONFLICT (webhook_id) DO UPDATE SET filtered = known.filtered + excluded.filtered`,
    [workspaceId, sorted.map(([webhookId]) => webhookId), sorted.map(([, filtered]) => filtered)],
    'add_filtered_counts',
  )
}
