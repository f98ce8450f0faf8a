import { connectDatabase, type Database } from '@wp/database'
import { type Bus, connectBus } from '@wp/events'
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

/** What the service needs once. */
export interface Context {
  config: Config
  database: Database<PrismaClient>
  bus: Bus
  internal: InternalCalls
  log: Logger
  metrics: Metrics
}

export async function createContext(config: Config, { log, metrics, internal }: ServiceRuntime): Promise<Context> {
  const database = connectDatabase({
    ...databaseSettings(config),
    prisma: (adapter) => new PrismaClient({ adapter }),
    log,
  })
  const bus = await connectBus({ ...brokerSettings(config), name: 'solutions', log })
  return { config, database, bus, internal, log, metrics }
}
