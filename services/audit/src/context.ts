import { randomBytes } from 'node:crypto'
import { connectDatabase, type Database } from '@wp/database'
import { type Bus, connectBus } from '@wp/events'
import type { Metrics } from '@wp/runtime'
import {
  brokerSettings,
  type DocumentSigner,
  databaseSettings,
  type Logger,
  openDocumentSigner,
  type ServiceRuntime,
} from '@wp/service'
import { PrismaClient } from '#db'
import type { Config } from './config.ts'
import { createVerifications, type Verifications } from './verifications.ts'

/** The dependencies of the service, created once per process. */
export interface Context {
  database: Database<PrismaClient>
  bus: Bus
  verifications: Verifications
  /** Signs heads and anchors of chains. */
  signer: DocumentSigner
  /** Returns a new hexadecimal salt of 32 bytes. */
  salt: () => string
  appendConcurrency: number
  ackWaitMs: number
  /** Milliseconds since 1970. */
  now: () => number
  log: Logger
  metrics: Metrics
}

export async function createContext(config: Config, { log, metrics, now }: ServiceRuntime): Promise<Context> {
  const database = connectDatabase({
    ...databaseSettings(config),
    prisma: (adapter) => new PrismaClient({ adapter }),
    backgroundPoolSize: config.DATABASE_BACKGROUND_POOL_SIZE + config.APPEND_CONCURRENCY,
    log,
  })
  const signer = await openDocumentSigner(config.AUDIT_SIGNING_KEY_FILE)
  const bus = await connectBus({ ...brokerSettings(config), name: 'audit', log })
  return {
    database,
    bus,
    verifications: createVerifications(database, signer),
    signer,
    salt: () => randomBytes(32).toString('hex'),
    appendConcurrency: config.APPEND_CONCURRENCY,
    ackWaitMs: config.ACK_WAIT_SECONDS * 1000,
    now,
    log,
    metrics,
  }
}
