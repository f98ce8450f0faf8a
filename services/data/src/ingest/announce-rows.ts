import { rowFeedChanged } from '@wp/contracts'
import type { Transaction } from '@wp/database'
import { hasFeeds } from '../store/feeds/row-feeds.ts'
import type { SourceKey } from '../store/sources/sources.ts'

/** Announces changed records to the subscribers of the source's feeds, if it has any. */
export async function announceRows(tx: Transaction, { workspaceId, dataSourceId }: SourceKey): Promise<void> {
  if (await hasFeeds(tx.query, { workspaceId, dataSourceId }))
    tx.emitInternal(rowFeedChanged, { data_source_id: dataSourceId })
}
