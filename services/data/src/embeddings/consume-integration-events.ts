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

/** Consumes events of connected and failed integrations, after which another one may embed the records of a workspace. */
export const createIntegrationsConsumer = <Client>(options: Options<Client>): EventConsumer =>
  createConsumer({
    ...options,
    service: 'data',
    purpose: 'embedding',
    producer: 'integrations',
    kinds: ['INTEGRATION_CONNECTED', 'INTEGRATION_FAILED'],
    concurrency: 1,
    async handle({ kind, data, workspace_id: workspaceId }, tx) {
      if (data.provider !== 'openai_compatible') return
      await invalidateEmbeddingSpace(tx.query, workspaceId, { onlyExisting: kind === 'INTEGRATION_FAILED' })
    },
  })
