import { createHash } from 'node:crypto'
import type { integrationsInternal } from '@wp/contracts'
import { z } from 'zod'
import type { EmbeddingChoice } from '../store/embeddings/embedding-choice.ts'

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
  embedding_model: z.string().optional(),
  embedding_dimensions: z.number().int().optional(),
})

type ConnectedIntegration = z.output<typeof integrationsInternal.findConnected.ok>['integrations'][number]

/** The part of an integration that a choice depends on. */
export interface EmbeddingProvider {
  baseUrl: string
  /** The model its config names. */
  model: string | undefined
}

export function toEmbeddingProvider({ config }: ConnectedIntegration): EmbeddingProvider {
  const { base_url: baseUrl, embedding_model: model } = Config.parse(config)
  return { baseUrl, model }
}

/**
 * Returns the model that a workspace has chosen; undefined if the integration has another address by now, or if neither
 * it nor the choice names a model.
 */
export function toEmbeddingModel(
  { integration_id, revision, config }: ConnectedIntegration,
  choice: EmbeddingChoice,
): EmbeddingModel | undefined {
  const { base_url: baseUrl, embedding_model: configured, embedding_dimensions: size } = Config.parse(config)
  const model = choice.model ?? configured
  if (model === undefined || (choice.baseUrl !== null && choice.baseUrl !== baseUrl)) return undefined
  const dimensions = model === configured ? size : undefined
  const space = createHash('sha256')
    .update(JSON.stringify([baseUrl, model, dimensions]))
    .digest('hex')
    .slice(0, 16)
  return { integrationId: integration_id, revision, baseUrl, model, dimensions, space }
}
