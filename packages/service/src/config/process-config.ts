import { z } from 'zod'
import { defaultProductName } from '../http/page/html.ts'
import { readConfig } from './read-config.ts'

/** An integer in an environment variable. */
export const integer = (min: number, max: number) =>
  z.string().regex(/^\d+$/, 'must be a whole number').transform(Number).pipe(z.number().int().min(min).max(max))

/** `true` or `false` in an environment variable. */
export const flag = z.enum(['true', 'false']).transform((value) => value === 'true')

const url = (...protocols: string[]) =>
  z
    .string()
    .refine(
      (value) => URL.canParse(value) && protocols.includes(new URL(value).protocol),
      `must be an address that begins with ${protocols.join(' or ')}//`,
    )

const upstreamOverrides = z
  .string()
  .transform((value, context) => {
    const pairs = value.split(',').map((pair) => pair.trim().split('=', 2))
    for (const [name, address] of pairs)
      if (!name || !address || !URL.canParse(address))
        context.addIssue({ code: 'custom', message: 'must be name=address, …' })
    return Object.fromEntries(pairs) as Record<string, string> // each pair was just checked to be two strings
  })
  .default({})

const shard = z.string().regex(/^[a-z0-9]{1,16}$/, 'must be 1 to 16 of a-z and 0-9')

const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Configuration of every process. */
export const processConfig = {
  HOST: z.string().default('127.0.0.1'),
  PORT: integer(0, 65_535),
  PUBLIC_BASE_URL: url('http:', 'https:')
    .refine(
      (value) => new URL(value).protocol === 'https:' || loopback.has(new URL(value).hostname),
      'must be https, except on loopback',
    )
    .transform((value) => value.replace(/\/+$/, '')),
  ENVIRONMENT: z.enum(['production', 'sandbox', 'development']).default('development'),
  /** Name of the product in mails and on pages. */
  PRODUCT_NAME: z.string().trim().min(1).max(60).default(defaultProductName),
  /** The cell of the process. */
  SHARD: shard,
  /** The cell of the global services; default its own. */
  HOME_SHARD: shard.optional(),
  LOCATION: z.string().regex(/^[A-Z]{2,8}$/, 'must be 2 to 8 of A-Z'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
  /** Base address of a collector of OTLP over HTTP, such as http://collector:4318. Tracing is off without one. */
  OTEL_EXPORTER_OTLP_ENDPOINT: url('http:', 'https:').optional(),
  ASSERTION_KEY_FILE: z.string(),
  ASSERTION_KEYS_FILE: z.string(),
  UPSTREAM: z.string().default('http://{service}:8080'),
  UPSTREAM_OVERRIDES: upstreamOverrides,
  /**
   * Time a process keeps listening, unready, after a signal to stop; longer than load balancers take to notice.
   * Default 5, in development 0.
   */
  DRAIN_SECONDS: integer(0, 600).optional(),
  /** Time from the signal until requests in flight are aborted. The process must be given longer than that. */
  SHUTDOWN_GRACE_SECONDS: integer(0, 600).default(25),
}

/** Returns how a process drains its server. */
export const drainOptionsOf = ({
  DRAIN_SECONDS,
  SHUTDOWN_GRACE_SECONDS,
  ENVIRONMENT,
}: Pick<ProcessConfig, 'DRAIN_SECONDS' | 'SHUTDOWN_GRACE_SECONDS' | 'ENVIRONMENT'>) => ({
  drainMs: 1000 * (DRAIN_SECONDS ?? (ENVIRONMENT === 'development' ? 0 : 5)),
  graceMs: 1000 * SHUTDOWN_GRACE_SECONDS,
})

/** Returns how a process traces: by its name, at the collector of its configuration. */
export const tracingOptionsOf = <More extends object>(
  {
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    SHARD,
    ENVIRONMENT,
  }: Pick<ProcessConfig, 'OTEL_EXPORTER_OTLP_ENDPOINT' | 'SHARD' | 'ENVIRONMENT'>,
  more: More,
) => ({ ...more, endpoint, resource: { 'deployment.environment.name': ENVIRONMENT, 'wp.shard': SHARD } })

const deletionConfig = {
  /**
   * Time after the start of a workspace's deletion in which requests and jobs that began before it may still add rows.
   * The last pass of the deletion follows after it. Longer than an assertion is valid.
   */
  WORKSPACE_DELETION_SETTLE_SECONDS: integer(0, 3_600).default(120),
}

const deletion = z.object(deletionConfig)

/** Returns the time after which the last pass of a workspace's deletion begins. @throws ConfigError */
export const deletionSettleMs = (env: Parameters<typeof readConfig>[1]): number =>
  1_000 * readConfig(deletion, env).WORKSPACE_DELETION_SETTLE_SECONDS

/** Configuration of a service with a database. */
export const databaseConfig = {
  ...deletionConfig,
  DATABASE_URL: url('postgres:', 'postgresql:'),
  DATABASE_WORKER_URL: url('postgres:', 'postgresql:'),
  /** Connections for requests. One workspace holds all but one at most. */
  DATABASE_POOL_SIZE: integer(1, 100).default(4),
  /** Connections for jobs and consumers; some services add one for each concurrent job. */
  DATABASE_BACKGROUND_POOL_SIZE: integer(1, 100).default(3),
  /** Connections of the worker role: claims, heartbeats, relay, retention; some services add more. */
  DATABASE_WORKER_POOL_SIZE: integer(1, 100).default(2),
  /** Maximum time a request waits for a connection before it is answered 503. */
  DATABASE_POOL_WAIT_MS: integer(10, 60_000).default(5_000),
}

/** Configuration of access to the broker; without a user where the broker has none. */
export const brokerAccessConfig = {
  NATS_URL: z.string(),
  NATS_USER: z.string().optional(),
  NATS_PASSWORD: z.string().optional(),
}

const brokerAccess = z.object(brokerAccessConfig)

/** Returns the broker credentials for @wp/events. */
export const brokerCredentials = ({
  NATS_USER: user,
  NATS_PASSWORD: pass,
}: Omit<z.output<typeof brokerAccess>, 'NATS_URL'>) => ({
  ...(user === undefined ? {} : { user }),
  ...(pass === undefined ? {} : { pass }),
})

/** Configuration of a process that uses the broker. */
export const brokerConfig = {
  ...brokerAccessConfig,
  STREAM_REPLICAS: integer(1, 5).default(1),
  STREAM_MAX_BYTES: integer(1_048_576, Number.MAX_SAFE_INTEGER).default(1_073_741_824),
}

/** The public development default of `KEK`: 32 zero bytes. */
const developmentKek = Buffer.alloc(32).toString('base64')

const keyEncryptionKey = z
  .string()
  .refine((value) => Buffer.from(value, 'base64').length === 32, 'must be base64 of 32 bytes')

/** Configuration of a service that seals secrets; to be refined with `ownKekRule`. */
export const sealingConfig = {
  KEK: keyEncryptionKey,
  KEK_PREVIOUS: keyEncryptionKey.optional(),
}

/** Arguments of `refine`: environments that are reachable from outside must not use the public development key. */
export const ownKekRule = [
  ({ ENVIRONMENT, KEK }: { ENVIRONMENT: string; KEK: string }) =>
    ENVIRONMENT === 'development' || KEK !== developmentKek,
  { path: ['KEK'], message: 'must not be the public development key outside development' },
] satisfies [unknown, unknown]

const database = z.object({ SHARD: processConfig.SHARD, ...databaseConfig })
const broker = z.object({ SHARD: processConfig.SHARD, ...brokerConfig })

/** Returns the database settings for @wp/database. */
export const databaseSettings = (config: z.output<typeof database>) => ({
  url: config.DATABASE_URL,
  workerUrl: config.DATABASE_WORKER_URL,
  poolSize: config.DATABASE_POOL_SIZE,
  backgroundPoolSize: config.DATABASE_BACKGROUND_POOL_SIZE,
  workerPoolSize: config.DATABASE_WORKER_POOL_SIZE,
  maxWaitMs: config.DATABASE_POOL_WAIT_MS,
  shard: config.SHARD,
})

/** Returns the broker settings for @wp/events. */
export const brokerSettings = (config: z.output<typeof broker>) => ({
  ...brokerCredentials(config),
  servers: config.NATS_URL,
  shard: config.SHARD,
  stream: { replicas: config.STREAM_REPLICAS, maxBytes: config.STREAM_MAX_BYTES },
})

const everyProcess = z.object(processConfig)

/** The configuration of every process. */
export type ProcessConfig = z.output<typeof everyProcess>
