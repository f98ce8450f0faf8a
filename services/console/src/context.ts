import { connectDatabase, type Database } from '@wp/database'
import type { Metrics } from '@wp/runtime'
import { databaseSettings, type Logger, type ServiceRuntime } from '@wp/service'
import { PrismaClient } from '#db'
import type { Config } from './config.ts'

/** The dependencies of the service, created once per process. */
export interface Context {
  config: Config
  database: Database<PrismaClient>
  log: Logger
  metrics: Metrics
  /** Milliseconds since 1970. */
  now: () => number
}

export async function createContext(config: Config, { log, metrics, now }: ServiceRuntime): Promise<Context> {
  const database = connectDatabase({
    ...databaseSettings(config),
    prisma: (adapter) => new PrismaClient({ adapter }),
    log,
  })
  return { config, database, log, metrics, now }
}
