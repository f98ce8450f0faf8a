import type { EmbeddingModel } from '../../src/embeddings/embedding-model.ts'

/** Returns a model without roles, of a usual provider. */
export const embeddingModel = (space: string): EmbeddingModel => ({
  integrationId: 'int_1',
  revision: 1,
  baseUrl: 'x',
  model: 'm',
  dimensions: undefined,
  space,
  queryRole: { prefix: '', inputType: undefined },
  documentRole: { prefix: '', inputType: undefined },
  batchSize: 64,
  concurrency: 4,
})
