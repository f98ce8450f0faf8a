import type { Operation as EndpointOperation, surfaces } from '@wp/contracts'
import { connectDatabase, type Database } from '@wp/database'
import { type Bus, connectBus } from '@wp/events'
import { createOutbound, type Outbound, outboundOptions, type Protocol } from '@wp/outbound'
import { brokerSettings, createSealer, databaseSettings, type Sealer, type ServiceRuntime } from '@wp/service'
import type { Config } from './config.ts'
import { createEmbeddingModels, type EmbeddingModels } from './embeddings/embedding-models.ts'
import { type SourceReaders, sourceReaders } from './providers/index.ts'
import { type StartTimer, startTimer } from './providers/source-reader.ts'
import { createSearchEngines } from './search/engine/create-search-engines.ts'
import type { SearchEngines } from './search/engine/search.ts'
import { createQuantizedVectorCache } from './search/index/quantized-vector-cache.ts'
import { createOpenSearchClient, type OpenSearchClient } from './search/opensearch/client/opensearch-client.ts'
import { createBufferPool } from './search/rank/postings/buffer-pool.ts'
import { createSearchAdmission, type SearchAdmission } from './search/session/search-admission.ts'
import { type SearchLimits, searchLimits } from './search/session/search-session.ts'
import { createTimeSlices, type TimeSlices } from './search/session/time-slices.ts'
import { type Client, createClient } from './store/client.ts'
import { readEmbeddingChoice } from './store/embeddings/embedding-choice.ts'
import { createPostingsCache } from './store/search/read-postings.ts'

/** The dependencies of the service, created once per process. */
export interface Context extends Pick<ServiceRuntime, 'internal' | 'log' | 'metrics' | 'now'> {
  config: Config
  database: Database<Client>
  bus: Bus
  /** Seals the keys of pseudonyms. */
  sealer: Sealer
  /** The client for addresses that users configured. */
  outbound: Outbound
  /** URL schemes allowed for these addresses. */
  protocols: readonly Protocol[]
  /** Source readers by provider. */
  readers: SourceReaders
  searchEngines: SearchEngines
  /** The second search engine; undefined if records are searched in PostgreSQL alone. */
  openSearch: OpenSearchClient | undefined
  searchAdmission: SearchAdmission
  searchLimits: SearchLimits
  timeSlices: TimeSlices
  /** Embeds records and queries. */
  models: EmbeddingModels
  startTimer: StartTimer
}

type Endpoints = typeof surfaces.data

/** Implements an endpoint of this service, by its name. */
export type Operation<Name extends keyof Endpoints> = EndpointOperation<Endpoints[Name], Context>

const bytesPerMib = 1024 * 1024

export async function createContext(
  config: Config,
  { log, metrics, internal, tracing, now }: ServiceRuntime,
): Promise<Context> {
  const database = connectDatabase({ ...databaseSettings(config), prisma: createClient, log, tracing })
  const outbound = createOutbound(outboundOptions(config, log))
  const bus = await connectBus({ ...brokerSettings(config), name: 'data', log })
  // Plain http is allowed only for servers of a developer.
  const protocols: Protocol[] = config.ENVIRONMENT === 'development' ? ['https:', 'http:'] : ['https:']
  const openSearch = connectOpenSearch(config)
  return {
    internal,
    log,
    metrics,
    now,
    config,
    database,
    bus,
    sealer: createSealer(config.KEK, config.KEK_PREVIOUS),
    outbound,
    protocols,
    readers: sourceReaders,
    openSearch,
    searchEngines: createSearchEngines({
      openSearch,
      alias: config.OPENSEARCH_INDEX,
      timeoutMs: config.OPENSEARCH_TIMEOUT_MS,
      postingsCache: createPostingsCache(config.SEARCH_CACHE_MIB * bytesPerMib),
      bufferPool: createBufferPool(),
      quantizedVectorCache: createQuantizedVectorCache(config.EMBEDDING_CACHE_MIB * bytesPerMib),
      log,
      metrics,
    }),
    searchAdmission: createSearchAdmission({
      concurrency: config.SEARCH_CONCURRENCY,
      timeoutMs: config.SEARCH_TIMEOUT_MS,
    }),
    searchLimits,
    timeSlices: createTimeSlices(),
    models: createEmbeddingModels({
      internal,
      outboundAccess: { outbound, protocols },
      readChoice: (workspaceId) =>
        database.read({ workspaceId }, (_db, query) => readEmbeddingChoice(query, workspaceId)),
      queryTimeoutMs: config.EMBEDDING_QUERY_TIMEOUT_MS,
      log,
      now,
    }),
    startTimer,
  }
}

function connectOpenSearch(config: Config): OpenSearchClient | undefined {
  const { SEARCH_ENGINE: engine, OPENSEARCH_URL: urls, OPENSEARCH_TIMEOUT_MS: timeoutMs } = config
  return engine === 'opensearch' && urls !== undefined ? createOpenSearchClient({ urls, timeoutMs }) : undefined
}
