import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Operation as EndpointOperation, surfaces } from '@wp/contracts'
import { connectDatabase, type Database } from '@wp/database'
import { type Bus, connectBus } from '@wp/events'
import { createOutbound, type Outbound, outboundOptions } from '@wp/outbound'
import type { Metrics, Tracing } from '@wp/runtime'
import {
  brokerSettings,
  createSealer,
  databaseSettings,
  type InternalCalls,
  type Logger,
  type Sealer,
  type ServiceRuntime,
} from '@wp/service'
import { type AccessTokens, createAccessTokens } from './authentication/access-tokens.ts'
import type { Config } from './config.ts'
import { type Client, createClient } from './store/client.ts'
import { type AttemptCounts, createAttemptCounts } from './worker/attempt-counts.ts'

/** Dependencies and settings of the service. */
export interface Context {
  database: Database<Client, 'records'>
  bus: Bus
  outbound: Outbound
  internal: InternalCalls
  sealer: Sealer
  /** Tokens for endpoints that require OAuth 2. */
  accessTokens: AccessTokens
  attemptCounts: AttemptCounts
  log: Logger
  metrics: Metrics
  /** Undefined if tracing is off. */
  tracing?: Tracing | undefined
  /** Milliseconds since 1970. */
  now: () => number
  /** In [0, 1). */
  random: () => number
  settings: DeliverySettings
}

type Endpoints = typeof surfaces.webhooks

/** Implements an endpoint of this service, by its name. */
export type Operation<Name extends keyof Endpoints> = EndpointOperation<Endpoints[Name], Context>

export interface DeliverySettings {
  /** Public address of the platform, without a trailing slash. */
  publicBaseUrl: string
  /** Seconds between attempts. */
  retrySchedule: readonly number[]
  /** Seconds of consecutive holds of an endpoint. */
  holdSchedule: readonly number[]
  /** Longest time until due or waiting deliveries are looked for without a wake. */
  pollMs: number
  /** Time limit of an attempt. */
  attemptTimeoutMs: number
  /** Time limit of its connection, including DNS and TLS. */
  connectTimeoutMs: number
  leaseSeconds: number
  /** Folder of the journals of attempts; see `createAttemptJournal`. */
  journalFolder: string
  concurrency: number
  fanOutConcurrency: number
  /** Time after which the broker redelivers an unacknowledged event. */
  ackWaitMs: number
  /** Pending deliveries of a subscription at which its replay waits. */
  replayBacklog: number
  retentionDays: number
}

/** Longest time limit of a token request, within that of its attempt. */
const maxTokenTimeoutMs = 10_000

/** Longest time limit of a connection. */
const maxConnectTimeoutMs = 5_000

const extraPoolSizes = {
  records: 1,
}

export async function createContext(
  config: Config,
  { log, metrics, internal, tracing, now }: ServiceRuntime,
): Promise<Context> {
  const outbound = createOutbound({
    ...outboundOptions(config, log),
    // As many idle connections as attempts, even to one host: a TLS handshake costs more than ten deliveries over a
    // kept-alive connection.
    maxIdle: config.DELIVERY_CONCURRENCY,
    maxIdlePerOrigin: config.DELIVERY_CONCURRENCY,
  })
  const database = connectDatabase({
    ...databaseSettings(config),
    prisma: createClient,
    // One connection per event that is fanned out, besides those for jobs.
    backgroundPoolSize: config.DATABASE_BACKGROUND_POOL_SIZE + config.FAN_OUT_CONCURRENCY,
    // Claims, recording, lease renewal, relay and retention run concurrently; one connection shows that the process is
    // alive, and two are for events of several workspaces that are fanned out together.
    workerPoolSize: config.DATABASE_WORKER_POOL_SIZE + 4,
    // First successes have a connection that needs no transaction for its settings.
    extraPoolSizes,
    indexLookupPools: ['records'],
    log,
    tracing,
  })
  const attemptTimeoutMs = config.ATTEMPT_TIMEOUT_SECONDS * 1000
  const bus = await connectBus({ ...brokerSettings(config), name: 'webhook-delivery', log })
  return {
    database,
    bus,
    outbound,
    internal,
    accessTokens: createAccessTokens({
      outbound,
      now,
      tokenTimeoutMs: Math.min(maxTokenTimeoutMs, attemptTimeoutMs / 2),
    }),
    attemptCounts: createAttemptCounts(),
    sealer: createSealer(config.KEK, config.KEK_PREVIOUS),
    log,
    metrics,
    tracing,
    now,
    random: Math.random,
    settings: {
      publicBaseUrl: config.PUBLIC_BASE_URL,
      retrySchedule: config.RETRY_SCHEDULE_SECONDS,
      holdSchedule: config.HOLD_SCHEDULE_SECONDS,
      pollMs: 5_000, // commits wake the workers, and they know when the next delivery is due
      attemptTimeoutMs,
      connectTimeoutMs: Math.min(maxConnectTimeoutMs, attemptTimeoutMs),
      leaseSeconds: config.LEASE_SECONDS,
      journalFolder: join(tmpdir(), `wp-attempts-${hashUrl(config.DATABASE_WORKER_URL)}`),
      concurrency: config.DELIVERY_CONCURRENCY,
      fanOutConcurrency: config.FAN_OUT_CONCURRENCY,
      ackWaitMs: config.ACK_WAIT_SECONDS * 1000,
      replayBacklog: config.REPLAY_BACKLOG,
      retentionDays: config.DELIVERY_RETENTION_DAYS,
    },
  }
}

/** Tells apart the databases of several platforms on one machine. */
const hashUrl = (url: string): string => createHash('sha256').update(url).digest('hex').slice(0, 16)
