import { randomBytes } from 'node:crypto'
import type { Caller, Operation as EndpointOperation, surfaces } from '@wp/contracts'
import { connectDatabase, type Database } from '@wp/database'
import { type Bus, connectBus } from '@wp/events'
import {
  brokerSettings,
  createCallerResolver,
  type DocumentSigner,
  databaseSettings,
  openDocumentSigner,
  type ServiceRuntime,
} from '@wp/service'
import type { Config } from './config.ts'
import { type Client, createClient } from './store/client.ts'
import { createVerifications, type Verifications } from './verifications.ts'

/** Settings of compliance exports. */
export interface ExportSettings {
  concurrency: number
  /** Maximum size of the content of one export. */
  maxBytes: number
  retentionDays: number
  leaseMs: number
}

/** The dependencies of the service, created once per process. */
export interface Context extends Pick<ServiceRuntime, 'log' | 'metrics' | 'now'> {
  database: Database<Client>
  bus: Bus
  verifications: Verifications
  /** Signs heads and anchors of chains. */
  signer: DocumentSigner
  /** Returns a new hexadecimal salt of 32 bytes. */
  salt: () => string
  appendConcurrency: number
  ackWaitMs: number
  exports: ExportSettings
  /** Returns the caller of a job with its current scopes; null if it may no longer act. */
  resolveCaller: (caller: Caller) => Promise<Caller | null>
}

type Endpoints = typeof surfaces.audit

/** Implements an endpoint of this service, by its name. */
export type Operation<Name extends keyof Endpoints> = EndpointOperation<Endpoints[Name], Context>

export async function createContext(
  config: Config,
  { log, metrics, internal, tracing, now }: ServiceRuntime,
): Promise<Context> {
  const database = connectDatabase({
    ...databaseSettings(config),
    prisma: createClient,
    backgroundPoolSize: config.DATABASE_BACKGROUND_POOL_SIZE + config.APPEND_CONCURRENCY,
    log,
    tracing,
  })
  const signer = await openDocumentSigner(config.AUDIT_SIGNING_KEY_FILE)
  const bus = await connectBus({ ...brokerSettings(config), name: 'audit', log })
  return {
    log,
    metrics,
    now,
    database,
    bus,
    verifications: createVerifications(database, signer),
    signer,
    salt: () => randomBytes(32).toString('hex'),
    appendConcurrency: config.APPEND_CONCURRENCY,
    ackWaitMs: config.ACK_WAIT_SECONDS * 1000,
    exports: {
      concurrency: config.EXPORT_CONCURRENCY,
      maxBytes: config.EXPORT_MAX_BYTES,
      retentionDays: config.EXPORT_RETENTION_DAYS,
      leaseMs: config.JOB_LEASE_SECONDS * 1000,
    },
    resolveCaller: createCallerResolver(internal),
  }
}
