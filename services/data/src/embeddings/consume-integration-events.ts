import type { Database } from '@wp/database'
import { type Bus, createConsumer, type EventConsumer } from '@wp/events'
import type { Log, Metrics } from '@wp/runtime'
import { invalidateEmbeddingSpace } from '../store/embeddings/embedding-spaces.ts'

interface Options<Client> {
  database: Database<Client>
  bus: Bus
  log: Log
  metrics: Metrics
}

/** Consumes events of connected and failed integrations, after which the chosen one is looked up again. */
export const createIntegrationsConsumer = <Client>(options: Options<Client>): EventConsumer =>
  createConsumer({
    ...options,
    service: 'data',
    purpose: 'embedding',
    producer: 'integrations',
    kinds: ['INTEGRATION_CONNECTED', 'INTEGRATION_FAILED'],
    concurrency: 1,
    async handle({ data, workspace_id: workspaceId }, tx) {
      if (data.provider === 'openai_compatible') await invalidateEmbeddingSpace(tx.query, workspaceId)
    },
  })
