import { connectDatabase, type Database } from '@wp/database'
import { type Bus, connectBus } from '@wp/events'
import {
  brokerSettings,
  databaseSettings,
  type InternalCalls,
  type Logger,
  type Metrics,
  type Runtime,
} from '@wp/service'
import { PrismaClient } from '#db'
import type { Config } from './config.ts'
import { createPostingsCache, type PostingsCache } from './search/postings-cache.ts'

/** What the service needs once. */
export interface Context {
  config: Config
  database: Database<PrismaClient>
  bus: Bus
  internal: InternalCalls
  /** What searches read again and again. */
  postings: PostingsCache
  log: Logger
  metrics: Metrics
  /** Milliseconds since 1970. */
  now: () => number
}

export async function createContext(config: Config, { log, metrics, internal, now }: Runtime): Promise<Context> {
  const database = connectDatabase({
    ...databaseSettings(config),
    prisma: (adapter) => new PrismaClient({ adapter }),
    log,
  })
  const bus = await connectBus({ ...brokerSettings(config), name: 'data', log })
  const postings = createPostingsCache(config.SEARCH_CACHE_MIB * 1024 * 1024)
  return { config, database, bus, internal, postings, log, metrics, now }
}
