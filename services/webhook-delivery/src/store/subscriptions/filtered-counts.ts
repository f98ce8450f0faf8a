import type { Query, Row } from '@wp/database'
import type { FilteredCount } from '#db'

/** Events that did not pass the filter of a subscription. */
export type FilteredEvents = Row<FilteredCount, 'workspaceId' | 'webhookId' | 'filtered'>

/** Adds to the events that did not pass the filters of subscriptions. Sorted, so that replicas do not deadlock. */
export async function addFilteredCounts(query: Query, counts: readonly FilteredEvents[]): Promise<void> {
  if (counts.length === 0) return
  const sorted = counts.toSorted((first, second) => (first.webhookId < second.webhookId ? -1 : 1))
  await query(
    `INSERT INTO filtered_counts AS known (workspace_id, webhook_id, filtered)
     SELECT * FROM unnest($1::text[], $2::text[], $3::integer[])
     ON CONFLICT (webhook_id) DO UPDATE SET filtered = known.filtered + excluded.filtered`,
    [
      sorted.map(({ workspaceId }) => workspaceId),
      sorted.map(({ webhookId }) => webhookId),
      sorted.map(({ filtered }) => filtered),
    ],
    'add_filtered_counts',
  )
}
