import { rowFeedChanged } from '@wp/contracts'
import type { Transaction } from '@wp/database'
import { findFeedIds } from '../store/feeds/row-feeds.ts'
import type { SourceKey } from '../store/sources/sources.ts'

/** Announces changed records to the subscribers of the source's feeds, if it has any. */
export async function announceRows(tx: Transaction, { workspaceId, dataSourceId }: SourceKey): Promise<void> {
  const feedIds = await findFeedIds(tx.query, { workspaceId, dataSourceId })
  if (feedIds.length > 0) tx.emitInternal(rowFeedChanged, { data_source_id: dataSourceId, feed_ids: feedIds })
}
