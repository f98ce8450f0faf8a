import { randomBytes } from 'node:crypto'
import { connectDatabase, type Database } from '@wp/database'
import { type Bus, connectBus } from '@wp/events'
import { brokerSettings, databaseSettings, type Logger, type Metrics, type ServiceRuntime } from '@wp/service'
import { PrismaClient } from '#db'
import type { Config } from './config.ts'
import { createVerifications, type Verifications } from './verifications.ts'

/** What the service needs once. */
export interface Context {
  database: Database<PrismaClient>
  bus: Bus
  verifications: Verifications
  /** A new salt, hexadecimal. */
  salt: () => string
  appendConcurrency: number
  ackWaitMs: number
  log: Logger
  metrics: Metrics
}

export async function createContext(config: Config, { log, metrics }: ServiceRuntime): Promise<Context> {
  const database = connectDatabase({
    ...databaseSettings(config),
    prisma: (adapter) => new PrismaClient({ adapter }),
    poolSize: config.DATABASE_POOL_SIZE + config.APPEND_CONCURRENCY,
    log,
  })
  const bus = await connectBus({ ...brokerSettings(config), name: 'audit', log })
  return {
    database,
    bus,
    verifications: createVerifications(database),
    salt: () => randomBytes(32).toString('hex'),
    appendConcurrency: config.APPEND_CONCURRENCY,
    ackWaitMs: config.ACK_WAIT_SECONDS * 1000,
    log,
    metrics,
  }
}
