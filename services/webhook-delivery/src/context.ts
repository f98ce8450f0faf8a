import { connectDatabase, type Database } from '@wp/database'
import { type Bus, connectBus } from '@wp/events'
import { createOutbound, type Outbound } from '@wp/outbound'
import {
  brokerSettings,
  createSealer,
  databaseSettings,
  type InternalCalls,
  type Logger,
  type Metrics,
  type Sealer,
  type ServiceRuntime,
} from '@wp/service'
import { PrismaClient } from '#db'
import type { Config } from './config.ts'

/** What the service needs once. */
export interface Context {
  database: Database<PrismaClient>
  bus: Bus
  outbound: Outbound
  internal: InternalCalls
  sealer: Sealer
  log: Logger
  metrics: Metrics
  /** Milliseconds since 1970. */
  now: () => number
  /** In [0, 1). */
  random: () => number
  settings: DeliverySettings
}

/** How deliveries are made. */
export interface DeliverySettings {
  /** The public address of the platform, without a slash at its end. */
  publicBaseUrl: string
  /** Seconds between attempts. */
  retrySchedule: readonly number[]
  /** Seconds an endpoint is held, the first time, the next, … */
  holdSchedule: readonly number[]
  attemptTimeoutMs: number
  leaseSeconds: number
  concurrency: number
  fanOutConcurrency: number
  /** Deliveries of a subscription that may wait before its replay does. */
  replayBacklog: number
  retentionDays: number
}

export async function createContext(config: Config, { log, metrics, internal, now }: ServiceRuntime): Promise<Context> {
  const outbound = createOutbound({
    allowCidrs: config.OUTBOUND_ALLOW_CIDRS ?? [],
    denyCidrs: config.OUTBOUND_DENY_CIDRS ?? [],
    caFile: config.OUTBOUND_CA_FILE,
    production: config.ENVIRONMENT === 'production',
    // As many connections as there can be attempts, also where all go to one host, so that none is torn down only to be
    // made again: a handshake costs more than ten deliveries over a connection that is kept.
    maxIdle: config.DELIVERY_CONCURRENCY,
    maxIdlePerOrigin: config.DELIVERY_CONCURRENCY,
    ...(config.OUTBOUND_PORTS === undefined ? {} : { ports: config.OUTBOUND_PORTS }),
  })
  const database = connectDatabase({
    ...databaseSettings(config),
    prisma: (adapter) => new PrismaClient({ adapter }),
    // Each event that is fanned out has a connection, beside those for requests.
    poolSize: config.DATABASE_POOL_SIZE + config.FAN_OUT_CONCURRENCY,
    // Claims, records, relay and retention go side by side.
    workerPoolSize: 4,
    log,
  })
  const bus = await connectBus({ ...brokerSettings(config), name: 'webhook-delivery', log })
  return {
    database,
    bus,
    outbound,
    internal,
    sealer: createSealer(config.KEK, config.KEK_PREVIOUS),
    log,
    metrics,
    now,
    random: Math.random,
    settings: {
      publicBaseUrl: config.PUBLIC_BASE_URL,
      retrySchedule: config.RETRY_SCHEDULE_SECONDS,
      holdSchedule: config.HOLD_SCHEDULE_SECONDS,
      attemptTimeoutMs: config.ATTEMPT_TIMEOUT_SECONDS * 1000,
      leaseSeconds: config.LEASE_SECONDS,
      concurrency: config.DELIVERY_CONCURRENCY,
      fanOutConcurrency: config.FAN_OUT_CONCURRENCY,
      replayBacklog: config.REPLAY_BACKLOG,
      retentionDays: config.DELIVERY_RETENTION_DAYS,
    },
  }
}
