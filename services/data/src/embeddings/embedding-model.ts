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
  /** Marks a text as a query or as a part of a record, for models that embed the two differently. */
  queryRole: TextRole
  documentRole: TextRole
  /** Texts in one request, and requests at once. */
  batchSize: number
  concurrency: number
  /** Identifies vectors that can be compared: one address, model and size, and one role of the texts of records. */
  space: string
}

/** A mark of texts: before each text, and as the member `input_type` of the request. */
export interface TextRole {
  prefix: string
  inputType: string | undefined
}

const noRole: TextRole = { prefix: '', inputType: undefined }
const [defaultBatchSize, defaultConcurrency] = [64, 4]

const Config = z.object({
  base_url: z.string(),
  embedding_model: z.string().optional(),
  embedding_dimensions: z.number().int().optional(),
  embedding_query_prefix: z.string().default(''),
  embedding_document_prefix: z.string().default(''),
  embedding_query_type: z.string().optional(),
  embedding_document_type: z.string().optional(),
  embedding_batch_size: z.number().int().default(defaultBatchSize),
  embedding_concurrency: z.number().int().default(defaultConcurrency),
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
  const parsed = Config.parse(config)
  const { base_url: baseUrl, embedding_model: configured } = parsed
  const model = choice.model ?? configured
  if (model === undefined || (choice.baseUrl !== null && choice.baseUrl !== baseUrl)) return undefined
  // Size and roles are those of the configured model; another one may know neither.
  const isConfigured = model === configured
  const dimensions = isConfigured ? parsed.embedding_dimensions : undefined
  const { embedding_query_prefix: queryPrefix, embedding_document_prefix: documentPrefix } = parsed
  const { embedding_query_type: queryType, embedding_document_type: documentType } = parsed
  const documentRole = isConfigured ? { prefix: documentPrefix, inputType: documentType } : noRole
  return {
    integrationId: integration_id,
    revision,
    baseUrl,
    model,
    dimensions,
    documentRole,
    queryRole: isConfigured ? { prefix: queryPrefix, inputType: queryType } : noRole,
    batchSize: parsed.embedding_batch_size,
    concurrency: parsed.embedding_concurrency,
    space: spaceOf(baseUrl, model, dimensions, documentRole),
  }
}

function spaceOf(baseUrl: string, model: string, dimensions: number | undefined, role: TextRole): string {
  const { prefix, inputType } = role
  const parts = [baseUrl, model, dimensions, ...(prefix === '' && inputType === undefined ? [] : [prefix, inputType])]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16)
}
