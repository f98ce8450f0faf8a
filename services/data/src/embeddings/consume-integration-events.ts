import type { Log, Metrics } from '@wp/runtime'
import type { Database } from '@wp/database'
import type { Bus, EventConsumer } from '@wp/events'
import { createConsumer } from '@wp/events'
import { invalidateEmbeddingSpace } from '../store/embeddings/embedding-leases.ts'

interface Options<Client> {
  database: Database<Client>
  bus: Bus
  log: Log
  metrics: Metrics
}

/** Hears that integrations came or failed: what embeds a workspace's records may be another now. */
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
      await invalidateEmbeddingSpace(tx.query, workspaceId, { isKnown: kind === 'INTEGRATION_FAILED' })
    },
  })
