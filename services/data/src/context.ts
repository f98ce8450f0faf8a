import { connectDatabase, type Database } from '@wp/database'
import { type Bus, connectBus } from '@wp/events'
import { createOutbound, type Outbound, type Protocol } from '@wp/outbound'
import {
  brokerSettings,
  databaseSettings,
  type InternalCalls,
  type Logger,
  type Metrics,
  type ServiceRuntime,
} from '@wp/service'
import { PrismaClient } from '#db'
import type { Config } from './config.ts'
import { createEmbeddingModels, type EmbeddingModels } from './embeddings/embedding-models.ts'
import { type SourceReaders, sourceReaders } from './providers/index.ts'
import { createPostingsCache, type PostingsCache } from './search/index/postings-cache.ts'
import { createQuantizedVectorCache, type QuantizedVectorCache } from './search/index/quantized-vector-cache.ts'
import { type BufferPool, createBufferPool } from './search/rank/buffer-pool.ts'

/** What the service needs once. */
export interface Context {
  config: Config
  database: Database<PrismaClient>
  bus: Bus
  internal: InternalCalls
  /** How what a user chose is reached. */
  outbound: Outbound
  /** What the addresses of sources may begin with. */
  protocols: readonly Protocol[]
  /** What reads sources, by their providers. */
  readers: SourceReaders
  /** What searches read again and again. */
  postingsCache: PostingsCache
  bufferPool: BufferPool
  quantizedVectorCache: QuantizedVectorCache
  /** What records and queries are embedded with. */
  models: EmbeddingModels
  log: Logger
  metrics: Metrics
  /** Milliseconds since 1970. */
  now: () => number
}

export async function createContext(config: Config, { log, metrics, internal, now }: ServiceRuntime): Promise<Context> {
  const database = connectDatabase({
    ...databaseSettings(config),
    prisma: (adapter) => new PrismaClient({ adapter }),
    log,
  })
  const outbound = createOutbound({
    allowCidrs: config.OUTBOUND_ALLOW_CIDRS ?? [],
    denyCidrs: config.OUTBOUND_DENY_CIDRS ?? [],
    caFile: config.OUTBOUND_CA_FILE,
    production: config.ENVIRONMENT === 'production',
    ...(config.OUTBOUND_PORTS === undefined ? {} : { ports: config.OUTBOUND_PORTS }),
  })
  const bus = await connectBus({ ...brokerSettings(config), name: 'data', log })
  const postings = createPostingsCache(config.SEARCH_CACHE_MIB * 1024 * 1024)
  const sketches = createQuantizedVectorCache(config.EMBEDDING_CACHE_MIB * 1024 * 1024)
  // What is read is not read in the clear, but from a developer's own server.
  const protocols: Protocol[] = config.ENVIRONMENT === 'development' ? ['https:', 'http:'] : ['https:']
  return {
    config,
    database,
    bus,
    internal,
    outbound,
    protocols,
    readers: sourceReaders,
    postingsCache: postings,
    bufferPool: createBufferPool(),
    quantizedVectorCache: sketches,
    models: createEmbeddingModels({
      internal,
      outside: { outbound, protocols },
      queryTimeoutMs: config.EMBEDDING_QUERY_TIMEOUT_MS,
      log,
      now,
    }),
    log,
    metrics,
    now,
  }
}
