import type { OpenSearchClient } from '../client/opensearch-client.ts'
import { isMissingIndex } from '../client/opensearch-client.ts'
import { type IndexSize, indexDefinition, vectorMapping } from './index-definition.ts'

/** Changes of the cluster wait for its manager. */
const timeoutMs = 60_000

export async function createIndex(client: OpenSearchClient, indexName: string, size: IndexSize): Promise<void> {
  await client.request('PUT', `/${indexName}`, { body: indexDefinition(indexName, size), timeoutMs })
}

export async function hasIndex(client: OpenSearchClient, indexName: string): Promise<boolean> {
  try {
    await client.request('HEAD', `/${indexName}`)
    return true
  } catch (error) {
    if (isMissingIndex(error)) return false
    throw error
  }
}

export async function deleteIndex(client: OpenSearchClient, indexName: string): Promise<void> {
  await client.request('DELETE', `/${indexName}?ignore_unavailable=true`, { timeoutMs })
}

/** Makes an index the one that is searched by an alias, in one step. */
export async function publishIndex(client: OpenSearchClient, alias: string, indexName: string): Promise<void> {
  await client.request('POST', `/${indexName}/_refresh`, { timeoutMs })
  const actions = [{ remove: { index: `${alias}-*`, alias, must_exist: false } }, { add: { index: indexName, alias } }]
  await client.request('POST', '/_aliases', { body: { actions }, timeoutMs })
}

/** Adds fields for vectors to an index when vectors of another size are written for the first time. */
export interface VectorFields {
  ensure(indexName: string, dimensions: readonly number[]): Promise<void>
}

export function createVectorFields(client: OpenSearchClient): VectorFields {
  const known = new Set<string>()
  return {
    async ensure(indexName, dimensions) {
      const missing = [...new Set(dimensions)].filter((dimension) => !known.has(`${indexName} ${dimension}`))
      if (missing.length === 0) return
      await client.request('PUT', `/${indexName}/_mapping`, { body: vectorMapping(missing), timeoutMs })
      for (const dimension of missing) known.add(`${indexName} ${dimension}`)
    },
  }
}
