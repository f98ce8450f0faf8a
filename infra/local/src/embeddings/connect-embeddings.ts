import type { Client } from '@wp/client'
import { embeddingsModel } from '@wp/testkit'
import { DemoError } from '../demo-error.ts'

const externalId = 'local-embeddings'

/** The options of the integration: the server embeds one text after the other, and a search waits for those before. */
const configOf = (baseUrl: string) => ({
  base_url: baseUrl,
  embedding_model: embeddingsModel,
  embedding_query_type: 'query',
  embedding_document_type: 'passage',
  embedding_batch_size: 2,
  embedding_concurrency: 1,
})

/**
 * Makes the server an integration of the workspace, and the one that embeds its records, unless another is chosen.
 * @returns what was done, for the user
 * @throws DemoError if the platform cannot use the server; ApiError
 */
export async function connectEmbeddings(client: Client, baseUrl: string): Promise<string> {
  const id = await findOrCreateIntegration(client, baseUrl)
  const tested = await client.integrations.testIntegration({ params: { integration_id: id } })
  if (!tested.ok) throw new DemoError(`the platform cannot use the server: ${tested.error?.message}`)
  const { integration_id: chosen, status } = await client.data.getEmbedding({})
  if (chosen !== null && chosen !== id)
    return `the workspace has chosen ${chosen} to embed its records, which stays; PATCH /v1/data/embedding with ${id} changes it`
  // The choice is for an address: another port needs it again.
  if (chosen === null || status === 'unavailable') await client.data.updateEmbedding({ body: { integration_id: id } })
  return `${id} embeds the records of data sources with embed: true, and searches with mode semantic or hybrid use them`
}

async function findOrCreateIntegration(client: Client, baseUrl: string): Promise<string> {
  const { items } = await client.integrations.listIntegrations({ query: { external_id: externalId } })
  const [found] = items
  const config = configOf(baseUrl)
  if (found === undefined) {
    const body = { provider: 'openai_compatible' as const, name: 'Embeddings on this machine', config }
    return (await client.integrations.createIntegration({ body: { ...body, external_id: externalId } })).integration_id
  }
  const params = { integration_id: found.integration_id }
  if (found.config.base_url !== baseUrl)
    await client.integrations.updateIntegration({ params, body: { config: { base_url: baseUrl } } })
  return found.integration_id
}
