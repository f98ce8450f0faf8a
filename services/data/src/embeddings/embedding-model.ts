import { createHash } from 'node:crypto'
import type { integrationsInternal } from '@wp/contracts'
import { z } from 'zod'

/** The model that embeds the records and queries of a workspace. */
export interface EmbeddingModel {
  integrationId: string
  /** Revision of the configuration and secrets of the integration. */
  revision: number
  baseUrl: string
  model: string
  dimensions: number | undefined
  /** Identifies vectors that can be compared: one address, model and size. */
  space: string
}

const Config = z.object({
  base_url: z.string(),
  embedding_model: z.string(),
  embedding_dimensions: z.number().int().optional(),
})

type ConnectedIntegration = z.output<typeof integrationsInternal.findConnected.ok>['integrations'][number]

/** Returns the embedding model of an integration. @throws ZodError if its config names none */
export function toEmbeddingModel({ integration_id, revision, config }: ConnectedIntegration): EmbeddingModel {
  const { base_url: baseUrl, embedding_model: model, embedding_dimensions: dimensions } = Config.parse(config)
  const space = createHash('sha256')
    .update(JSON.stringify([baseUrl, model, dimensions]))
    .digest('hex')
    .slice(0, 16)
  return { integrationId: integration_id, revision, baseUrl, model, dimensions, space }
}
