import { rowFeedChanged } from '@wp/contracts'
import { type Bus, createConsumer, type EventConsumer } from '@wp/events'
import type { Log, Metrics } from '@wp/runtime'
import type { Context } from '../context.ts'
import { findDatasetsOfSource } from '../store/datasets.ts'
import { requestRefresh } from './refresh-requests.ts'

interface Options {
  database: Context['database']['background']
  bus: Bus
  log: Log
  metrics: Metrics
}

/** Consumes events of changed and deleted sources, and has their datasets refreshed. */
export const createFeedConsumer = (options: Options): EventConsumer =>
  createConsumer({
    ...options,
    service: 'solutions',
    purpose: 'row-feeds',
    producer: 'data',
    kinds: [rowFeedChanged.kind],
    async handle({ data, workspace_id: workspaceId }, tx) {
      const { data_source_id: dataSourceId } = rowFeedChanged.data.parse(data)
      // Not by their feeds: those of a deleted source may have been closed before.
      for (const { datasetId } of await findDatasetsOfSource(tx.query, workspaceId, dataSourceId))
        await requestRefresh(tx, { datasetId, dataSourceId })
    },
  })
