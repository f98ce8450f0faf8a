import { z } from 'zod'
import { ConfiguredPrice, type ModelPrice, toModelPrice } from './price.ts'

/** The configuration of the provider allows no more. */
const maxModels = 100

/** The configuration of an integration of the provider `openai_compatible`, as far as language models need it. */
const IntegrationConfig = z.object({
  base_url: z.string(),
  models: z.array(z.string()).max(maxModels).default([]),
  prices: z
    .array(ConfiguredPrice.extend({ model: z.string() }))
    .max(maxModels)
    .default([]),
})

/** A provider that a workspace has connected. */
export interface ModelProviderConfig {
  baseUrl: string
  /** Names of the models that may be used; empty: all of the provider. */
  models: readonly string[]
  /** The prices of models that the workspace has stated. */
  prices: ReadonlyMap<string, ModelPrice>
}

/** @throws ZodError if the integrations service stores a configuration that it should have rejected */
export function parseIntegrationConfig(config: Readonly<Record<string, unknown>>): ModelProviderConfig {
  const { base_url: baseUrl, models, prices } = IntegrationConfig.parse(config)
  return { baseUrl, models, prices: new Map(prices.map((price) => [price.model, toModelPrice(price)])) }
}
