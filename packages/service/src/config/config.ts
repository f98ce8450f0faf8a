import { z } from 'zod'

/** A configuration that cannot be used. Its message is one line for each bad value, naming the variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/**
 * Reads a service's configuration from an environment.
 * @throws ConfigError naming every variable that is missing or bad; values are not repeated, they may be secret
 */
export function readConfig<S extends z.ZodType>(
  schema: S,
  env: Readonly<Record<string, string | undefined>>,
): z.output<S> {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const result = schema.safeParse(present)
  if (result.success) return result.data
  const lines = result.error.issues.map((issue) => {
    const name = issue.path.join('.') || 'configuration'
    return `${name} ${present[name] === undefined && issue.code === 'invalid_type' ? 'is missing' : `is not valid: ${issue.message}`}`
  })
  throw new ConfigError([...new Set(lines)].join('; '))
}

/** A whole number written in an environment variable. */
export const integer = (min: number, max: number) =>
  z.string().regex(/^\d+$/, 'must be a whole number').transform(Number).pipe(z.number().int().min(min).max(max))

/** `true` or `false`. */
export const flag = z.enum(['true', 'false']).transform((value) => value === 'true')

const url = (...protocols: string[]) =>
  z
    .string()
    .refine(
      (value) => URL.canParse(value) && protocols.includes(new URL(value).protocol),
      `must be an address beginning with ${protocols.join(' or ')}//`,
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

/** What every process of the fleet is told. */
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
  /** The cell the process is part of. */
  SHARD: shard,
  /** The cell where the global services are; default its own. */
  HOME_SHARD: shard.optional(),
  LOCATION: z.string().regex(/^[A-Z]{2,8}$/, 'must be 2 to 8 of A-Z'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
  ASSERTION_KEY_FILE: z.string(),
  ASSERTION_KEYS_FILE: z.string(),
  UPSTREAM: z.string().default('http://{service}:8080'),
  UPSTREAM_OVERRIDES: upstreamOverrides,
  /**
   * How long a process that was told to stop goes on listening, unready, until balancers have seen it; more than they
   * take for that. Default 0 in development, where nobody watches, else 5.
   */
  DRAIN_SECONDS: integer(0, 600).optional(),
  /** When all is over, from the signal on. Whoever runs the process must let it live longer than that. */
  SHUTDOWN_GRACE_SECONDS: integer(0, 600).default(25),
}

/** How a process ends its servers. */
export const drainOptionsOf = ({
  DRAIN_SECONDS,
  SHUTDOWN_GRACE_SECONDS,
  ENVIRONMENT,
}: Pick<ProcessConfig, 'DRAIN_SECONDS' | 'SHUTDOWN_GRACE_SECONDS' | 'ENVIRONMENT'>) => ({
  drainMs: 1000 * (DRAIN_SECONDS ?? (ENVIRONMENT === 'development' ? 0 : 5)),
  graceMs: 1000 * SHUTDOWN_GRACE_SECONDS,
})

/** What a service with a database is told. */
export const databaseConfig = {
  DATABASE_URL: url('postgres:', 'postgresql:'),
  DATABASE_WORKER_URL: url('postgres:', 'postgresql:'),
  DATABASE_POOL_SIZE: integer(1, 100).default(3),
}

/** How a process comes to the broker: as a user of its own where there are users, else as anybody. */
export const brokerAccessConfig = {
  NATS_URL: z.string(),
  NATS_USER: z.string().optional(),
  NATS_PASSWORD: z.string().optional(),
}

const access = z.object(brokerAccessConfig)

/** The same as @wp/events takes it. */
export const brokerCredentials = ({
  NATS_USER: user,
  NATS_PASSWORD: pass,
}: Omit<z.output<typeof access>, 'NATS_URL'>) => ({
  ...(user === undefined ? {} : { user }),
  ...(pass === undefined ? {} : { pass }),
})

/** What a process on the broker is told. */
export const brokerConfig = {
  ...brokerAccessConfig,
  STREAM_REPLICAS: integer(1, 5).default(1),
  STREAM_MAX_BYTES: integer(1_048_576, Number.MAX_SAFE_INTEGER).default(1_073_741_824),
}

/** The development default of `KEK`: 32 zero bytes, which everybody knows. */
const developmentKek = Buffer.alloc(32).toString('base64')

const keyEncryptionKey = z
  .string()
  .refine((value) => Buffer.from(value, 'base64').length === 32, 'must be base64 of 32 bytes')

/** What a service that seals secrets is told; to be refined with `needsOwnKek`. */
export const sealingConfig = {
  KEK: keyEncryptionKey,
  KEK_PREVIOUS: keyEncryptionKey.optional(),
}

/**
 * What is reached from outside, the sandbox as well as production, must not seal with the key that everybody knows.
 * @returns arguments for `refine`
 */
export const ownKekRule = [
  ({ ENVIRONMENT, KEK }: { ENVIRONMENT: string; KEK: string }) =>
    ENVIRONMENT === 'development' || KEK !== developmentKek,
  { path: ['KEK'], message: 'only development may do with the key that everybody knows' },
] satisfies [unknown, unknown]

const database = z.object({ SHARD: processConfig.SHARD, ...databaseConfig })
const broker = z.object({ SHARD: processConfig.SHARD, ...brokerConfig })

/** How a service reaches its database, as @wp/database takes it. */
export const databaseSettings = (config: z.output<typeof database>) => ({
  url: config.DATABASE_URL,
  workerUrl: config.DATABASE_WORKER_URL,
  poolSize: config.DATABASE_POOL_SIZE,
  shard: config.SHARD,
})

/** How a process reaches the broker, as @wp/events takes it. */
export const brokerSettings = (config: z.output<typeof broker>) => ({
  ...brokerCredentials(config),
  servers: config.NATS_URL,
  shard: config.SHARD,
  stream: { replicas: config.STREAM_REPLICAS, maxBytes: config.STREAM_MAX_BYTES },
})

const process = z.object(processConfig)

/** The part of a configuration that every process shares. */
export type ProcessConfig = z.output<typeof process>
