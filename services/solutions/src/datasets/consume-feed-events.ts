import { rowFeedChanged } from '@wp/contracts'
import { type Bus, createConsumer, type EventConsumer } from '@wp/events'
import type { Log, Metrics } from '@wp/runtime'
import type { Context } from '../context.ts'
import { findDataset } from '../store/datasets.ts'
import { requestRefresh } from './refresh-requests.ts'

interface Options {
  database: Context['database']['background']
  bus: Bus
  log: Log
  metrics: Metrics
}

/** Consumes events of changed sources, and has their datasets refreshed. */
export const createFeedConsumer = (options: Options): EventConsumer =>
  createConsumer({
    ...options,
    service: 'solutions',
    purpose: 'row-feeds',
    producer: 'data',
    kinds: [rowFeedChanged.kind],
    async handle({ data, workspace_id: workspaceId }, tx) {
      const { feed_ids: ids, data_source_id: dataSourceId } = rowFeedChanged.data.parse(data)
      for (const datasetId of ids)
        if ((await findDataset(tx.db, workspaceId, datasetId)) !== null)
          await requestRefresh(tx, { datasetId, dataSourceId })
    },
  })
