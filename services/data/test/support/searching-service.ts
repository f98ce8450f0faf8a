import { describe } from '@jest/globals'
import { connectDatabase } from '@wp/database'
import { noLog } from '@wp/runtime'
import { eventually, findSearchClusterProblem, type SearchCluster } from '@wp/testkit'
import { createOpenSearchClient } from '../../src/search/opensearch/client/opensearch-client.ts'
import { createVectorFields } from '../../src/search/opensearch/index/manage-index.ts'
import { rebuildIndex } from '../../src/search/opensearch/index/rebuild-index.ts'
import { queryAsWorker } from './database.ts'
import { type DataService, startDataService } from './service.ts'

type Environment = Readonly<Record<string, string>>

/**
 * Returns `describe`, or one that skips, with the reason printed, where no OpenSearch of so many nodes can be started.
 */
export function describeWithOpenSearch(nodes = 1): typeof describe.skip {
  const problem = findSearchClusterProblem(nodes)
  if (problem === undefined) return describe
  process.stderr.write(`skipped: ${problem}\n`)
  return describe.skip
}

let indexes = 0

/** Returns the environment of a service with an index of its own. */
export const engineEnvironment = (cluster: SearchCluster): Record<string, string> => ({
  SEARCH_ENGINE: 'opensearch',
  OPENSEARCH_URL: cluster.url,
  OPENSEARCH_INDEX: `records${process.pid}-${++indexes}`,
  // Generous, because the machine may be shared.
  OPENSEARCH_TIMEOUT_MS: '20000',
  SEARCH_TIMEOUT_MS: '60000',
  OPENSEARCH_POLL_MS: '20',
})

/** Starts the data service with an index of its own. */
export async function startServiceWithOpenSearch(
  cluster: SearchCluster,
  env: Environment = {},
  parts: Parameters<typeof startDataService>[1] = {},
): Promise<DataService> {
  const service = await startDataService({ ...engineEnvironment(cluster), ...env }, parts)
  await buildIndex(service.env)
  return { ...service, settle: () => settleIndex(service.env) }
}

/** Runs the command that builds the index, with the environment of a service. @returns the lines that it prints */
export async function buildIndex(env: Environment, size = { shards: 2, replicas: 0 }): Promise<string[]> {
  const url = env.DATABASE_WORKER_URL ?? ''
  const database = connectDatabase({ url, workerUrl: url, prisma: () => ({}), shard: '' })
  const client = createClient(env)
  const lines: string[] = []
  try {
    await rebuildIndex({
      pool: database.worker,
      client,
      alias: env.OPENSEARCH_INDEX ?? '',
      vectorFields: createVectorFields(client),
      size,
      log: noLog,
      print: (line) => lines.push(line),
      now: Date.now,
    })
    return lines
  } finally {
    await database.close()
  }
}

export const createClient = (env: Environment) =>
  createOpenSearchClient({
    urls: (env.OPENSEARCH_URL ?? '').split(',').map((url) => new URL(url)),
    timeoutMs: 60_000,
  })

/** Waits until every change is written, and makes it visible to searches. */
export async function settleIndex(env: Environment): Promise<void> {
  await eventually(async () => (await queryAsWorker(env, 'SELECT FROM search_changes LIMIT 1')).length === 0, {
    description: 'the search engine has every change',
  })
  await createClient(env).request('POST', `/${env.OPENSEARCH_INDEX}/_refresh`)
}
