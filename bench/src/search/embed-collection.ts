import { availableParallelism } from 'node:os'
import {
  type Embeddings,
  embeddingsModel,
  eventually,
  findEmbeddings,
  findFreePort,
  startEmbeddings,
  type TestFleet,
} from '@wp/testkit'
import { requireOk } from '../harness/fleet.ts'

/** Embedding takes up to a second a record, so larger collections are measured by words only. */
const maxDocuments = 2_000
const embedTimeoutMs = 3_600_000

/** Returns the reason why meaning cannot be measured. */
export function findEmbeddingsProblem(documents: number): string | undefined {
  if (findEmbeddings() === undefined) return 'npm run embeddings installs what is missing'
  return documents > maxDocuments ? `the collection has more than ${maxDocuments} documents` : undefined
}

/** Starts the server of embeddings and connects it to the workspace of the owner. */
export async function connectEmbeddingServer(fleet: TestFleet): Promise<Embeddings> {
  const options = { port: await findFreePort(), threads: availableParallelism() }
  const print = (line: string) => void process.stdout.write(`${line}\n`)
  const server = await startEmbeddings({ python: findEmbeddings() ?? '', ...options, print })
  const as = fleet.owner.apiKey
  const config = {
    base_url: server.url,
    embedding_model: embeddingsModel,
    embedding_query_type: 'query',
    embedding_document_type: 'passage',
    embedding_batch_size: 2,
    embedding_concurrency: 1,
  }
  const body = { provider: 'openai_compatible', name: 'Embeddings', config }
  const { integration_id: id } = await requireOk(fleet.request('POST', '/v1/integrations/integrations', { as, body }))
  await requireOk(fleet.request('POST', `/v1/integrations/integrations/${id}/test`, { as }))
  await requireOk(fleet.request('PATCH', '/v1/data/embedding', { as, body: { integration_id: id } }))
  return server
}

export const waitUntilEmbedded = (fleet: TestFleet, documents: number): Promise<true> =>
  eventually(
    async () => {
      const { records } = await requireOk(fleet.request('GET', '/v1/data/embedding', { as: fleet.owner.apiKey }))
      return records.pending === 0 && records.embedded === documents
    },
    { timeoutMs: embedTimeoutMs, intervalMs: 500, description: 'all documents to be embedded' },
  )
