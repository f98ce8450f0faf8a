import { describe, expect, it } from '@jest/globals'
import { EmbeddingFailure } from '../../../src/embeddings/embedding-failure.ts'
import type { EmbeddingModels } from '../../../src/embeddings/embedding-models.ts'
import { resolveEmbedding } from '../../../src/search/query/resolve-embedding.ts'
import { embeddingModel } from '../../support/embedding-model.ts'

const unused = () => Promise.reject(new Error('not expected'))
/** Models whose provider does not answer. */
const models: EmbeddingModels = {
  find: async () => embeddingModel('s'),
  inspect: unused,
  embed: unused,
  embedQuery: () => Promise.reject(new EmbeddingFailure('unavailable', 'The embedding provider answered 500')),
}
const input = {
  mode: 'hybrid' as const,
  query: 'a hot car',
  pointers: {
    query: '/query',
    dataSourceId: (nth: number) => `/data_source_ids/${nth}`,
    mode: '/mode',
    cursor: '/cursor',
  },
  signal: new AbortController().signal,
}

/** The position after a first page that was ranked by words and meaning. */
const cursor = { engine: 'postgres', mode: 'hybrid', seenAt: 0, total: 2, firstHits: 'a' } as const

describe('the embedding of a search by words and meaning', () => {
  it('is left out of the first page with a warning when the provider fails', async () => {
    expect(await resolveEmbedding(models, 'ws_1', input, undefined)).toMatchObject({
      embedding: undefined,
      warnings: [{ code: 'embeddings_unavailable' }],
    })
  })

  it('is required for a later page whose first page used it', async () => {
    await expect(resolveEmbedding(models, 'ws_1', input, cursor)).rejects.toMatchObject({
      code: 'embeddings_unavailable',
    })
  })
})
