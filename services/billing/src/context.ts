import { connectDatabase, type Database } from '@wp/database'
import { type Bus, connectBus } from '@wp/events'
import type { Metrics } from '@wp/runtime'
import {
  brokerSettings,
  cellBrokerSettings,
  databaseSettings,
  type InternalCalls,
  type Logger,
  type ServiceRuntime,
} from '@wp/service'
import { PrismaClient } from '#db'
import type { Config } from './config.ts'

/** The dependencies of the service, created once per process. */
export interface Context {
  config: Config
  database: Database<PrismaClient>
  bus: Bus
  /** Broker connections to the other cells. */
  cells: readonly Bus[]
  internal: InternalCalls
  log: Logger
  metrics: Metrics
  /** Milliseconds since 1970. */
  now: () => number
}

export async function createContext(config: Config, { log, metrics, internal, now }: ServiceRuntime): Promise<Context> {
  const database = connectDatabase({
    ...databaseSettings(config),
    prisma: (adapter) => new PrismaClient({ adapter }),
    // The relay of each other cell holds one.
    workerPoolSize: config.DATABASE_WORKER_POOL_SIZE + config.CELLS.length,
    log,
  })
  const connect = (broker: ReturnType<typeof brokerSettings>) => connectBus({ ...broker, name: 'billing', log })
  const [bus, cells] = await Promise.all([
    connect(brokerSettings(config)),
    Promise.all(cellBrokerSettings(config).map(connect)),
  ])
  return { config, database, bus, cells, internal, log, metrics, now }
}
