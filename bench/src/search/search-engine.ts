import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { SearchCluster } from '@wp/testkit'

/** Returns the environment of a data service that ranks with OpenSearch. */
export const searchEngineEnvironment = ({ url }: SearchCluster): Record<string, string> => ({
  SEARCH_ENGINE: 'opensearch',
  OPENSEARCH_URL: url,
  // An answer of PostgreSQL would be measured as one of OpenSearch.
  OPENSEARCH_TIMEOUT_MS: '30000',
  SEARCH_TIMEOUT_MS: '60000',
  // As many shards as production has by default, and one node.
  OPENSEARCH_SHARDS: '6',
  OPENSEARCH_REPLICAS: '0',
})

const root = join(import.meta.dirname, '../../..')

/** Builds the index with the command that operators use. @param env of the data service */
export async function buildSearchIndex(env: Record<string, string>): Promise<void> {
  const command = [join(root, 'services/data/src/rebuild-main.ts')]
  await promisify(execFile)(process.execPath, command, {
    cwd: root,
    env: { ...process.env, ...env },
    timeout: 1_800_000,
  })
}
