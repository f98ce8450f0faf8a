import type { Log, Metrics } from '@wp/runtime'
import type { OpenSearchClient } from '../opensearch/client/opensearch-client.ts'
import { createOpenSearchEngine } from '../opensearch/query/opensearch-engine.ts'
import { createFallbackEngine } from './fallback-engine.ts'
import { createPostgresEngine } from './postgres-engine.ts'
import type { SearchEngines } from './search.ts'

type Options = Parameters<typeof createPostgresEngine>[0] & {
  /** Undefined: PostgreSQL is the only engine. */
  openSearch: OpenSearchClient | undefined
  /** The name of the index in OpenSearch. */
  alias: string
  /** Limit of a request to OpenSearch. */
  timeoutMs: number
  log: Log
  metrics: Metrics
}

/** Creates the engines of a process. PostgreSQL always has an index, so it answers while OpenSearch is away. */
export function createSearchEngines({
  openSearch,
  alias,
  timeoutMs,
  log,
  metrics,
  ...options
}: Options): SearchEngines {
  const postgres = createPostgresEngine(options)
  if (openSearch === undefined) return { chosen: postgres, postgres }
  const primary = createOpenSearchEngine({ client: openSearch, alias, timeoutMs })
  return { chosen: createFallbackEngine({ primary, fallback: postgres, log, metrics }), postgres }
}
