import { connectDatabase, type Database } from '@wp/database'
import { type Bus, connectBus } from '@wp/events'
import type { InternalCalls, Logger, Metrics, Runtime } from '@wp/service'
import { PrismaClient } from '#db'
import type { Config } from './config.ts'

/** What the service needs once. */
export interface Context {
  config: Config
  database: Database<PrismaClient>
  bus: Bus
  internal: InternalCalls
  log: Logger
  metrics: Metrics
  /** Milliseconds since 1970. */
  now: () => number
}

export async function createContext(config: Config, { log, metrics, internal, now }: Runtime): Promise<Context> {
  const database = connectDatabase({
    url: config.DATABASE_URL,
    workerUrl: config.DATABASE_WORKER_URL,
    prisma: (adapter) => new PrismaClient({ adapter }),
    shard: config.SHARD,
    poolSize: config.DATABASE_POOL_SIZE,
    log,
  })
  const bus = await connectBus({ servers: config.NATS_URL, name: 'data', shard: config.SHARD, log })
  return { config, database, bus, internal, log, metrics, now }
}
