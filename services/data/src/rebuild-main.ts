// `npm run search:rebuild` creates the index of the search engine from PostgreSQL: the first one, a lost one, or one
// with another number of shards. The platform may run; searches use the index before, or PostgreSQL, until the new one
// is filled.
import { parseArgs } from 'node:util'
import { connectDatabase } from '@wp/database'
import { printLine, runCommand } from '@wp/runtime'
import { createLogger, integer, readConfig } from '@wp/service'
import { z } from 'zod'
import { createOpenSearchClient } from './search/opensearch/client/opensearch-client.ts'
import { openSearchConfig } from './search/opensearch/client/opensearch-config.ts'
import { createVectorFields } from './search/opensearch/index/manage-index.ts'
import { rebuildIndex, removeIndexes } from './search/opensearch/index/rebuild-index.ts'

const usage = `usage:
  npm run search:rebuild               create and fill an index, search it from then on, delete the one before
  npm run search:rebuild -- --remove   delete the index: before a return to SEARCH_ENGINE=postgres
options:
  --env-file <path>                    read the environment from a file
environment:
  DATABASE_WORKER_URL_DATA, else DATABASE_WORKER_URL
                                       the database of the data service, with its worker role
  OPENSEARCH_URL                       addresses of nodes, separated by commas
  OPENSEARCH_INDEX                     name of the index; default records
  OPENSEARCH_SHARDS                    number of primary shards; default 6
  OPENSEARCH_REPLICAS                  copies of each shard on other nodes; default 1`

const environment = z.object({
  ...openSearchConfig,
  OPENSEARCH_URL: openSearchConfig.OPENSEARCH_URL.unwrap(),
  DATABASE_WORKER_URL: z.string(),
  OPENSEARCH_SHARDS: integer(1, 1_000).default(6),
  OPENSEARCH_REPLICAS: integer(0, 10).default(1),
})

await runCommand(run, `${usage}\n`)

async function run(): Promise<number> {
  const { values } = parseArgs({ options: { 'env-file': { type: 'string' }, remove: { type: 'boolean' } } })
  if (values['env-file'] !== undefined) process.loadEnvFile(values['env-file'])
  const workerUrl = process.env.DATABASE_WORKER_URL_DATA ?? process.env.DATABASE_WORKER_URL
  const config = readConfig(environment, { ...process.env, DATABASE_WORKER_URL: workerUrl })
  const url = config.DATABASE_WORKER_URL
  const database = connectDatabase({ url, workerUrl: url, prisma: () => ({}), shard: '' })
  const client = createOpenSearchClient({ urls: config.OPENSEARCH_URL, timeoutMs: 30_000 })
  const rebuild = {
    pool: database.worker,
    client,
    alias: config.OPENSEARCH_INDEX,
    vectorFields: createVectorFields(client),
    size: { shards: config.OPENSEARCH_SHARDS, replicas: config.OPENSEARCH_REPLICAS },
    log: createLogger('search-rebuild', 'info'),
    print: printLine,
    now: Date.now,
  }
  try {
    await (values.remove === true ? removeIndexes(rebuild) : rebuildIndex(rebuild))
    return 0
  } finally {
    await database.close()
  }
}
