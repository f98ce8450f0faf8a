import { z } from 'zod'
import { declareEndpoints } from '../core/endpoint/endpoint.ts'
import { id } from '../core/shape/id.ts'
import { text } from '../core/shape/shape.ts'

const Embedding = z
  .object({
    workspace_id: id('ws'),
    integration_id: id('int')
      .nullable()
      .describe('The chosen `openai_compatible` integration; null: nothing is embedded'),
    model: z.string().nullable().describe('The chosen model; null: the `embedding_model` of the integration'),
    status: z
      .enum(['off', 'pending', 'active', 'unavailable'])
      .describe(
        '`off`: no integration is chosen. `pending`: the choice takes effect shortly. `unavailable`: the integration is not connected or names no model, or its `base_url` has changed: choose it again to send texts to the new address',
      ),
    sources: z.number().int().describe('Number of data sources with `embed`'),
    records: z
      .object({
        embedded: z.number().int().describe('Records that search by meaning finds'),
        pending: z.number().int().describe('Records that still have to be embedded'),
      })
      .describe('Searchable records of these sources, as of the last batch'),
  })
  .meta({ id: 'Embedding' })

/** The choice of the model that embeds records and queries of a workspace. */
export const dataEmbedding = declareEndpoints('data', {
  getEmbedding: {
    method: 'GET',
    path: '/v1/data/embedding',
    summary: 'Read which model embeds records, and how many are embedded',
    description:
      'Semantic search needs a model that turns text into vectors. The response names the chosen integration and model, and the progress over the records of sources with `embed`.',
    scope: 'data:read',
    ok: Embedding,
  },
  updateEmbedding: {
    method: 'PATCH',
    path: '/v1/data/embedding',
    summary: 'Choose the integration and model that embed records',
    description:
      'From then on the titles and texts of the data sources with `embed`, and the queries of searches by meaning, are sent to the integration. Requires the scope `integrations:read` too. The choice is for the present `base_url` of the integration. `integration_id` null ends embedding.',
    scope: 'data:write',
    body: z.strictObject({
      integration_id: id('int')
        .nullable()
        .optional()
        .describe('The `openai_compatible` integration to use; null ends embedding'),
      model: text(200)
        .nullable()
        .optional()
        .describe('Name of the model; null: the `embedding_model` of the integration'),
    }),
    ok: Embedding,
    errors: ['unknown_reference', 'missing_scope'],
    audit: { action: 'embedding.updated', target: 'workspace', field: 'workspace_id' },
  },
})
