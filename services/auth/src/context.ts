import {
  consoleCallbackPath,
  type Operation as EndpointOperation,
  type surfaces,
  type systemWorkspaces,
} from '@wp/contracts'
import { connectDatabase, type Database } from '@wp/database'
import type { Bus } from '@wp/events'
import { createMailTransportFromConfig, type MailTransport } from '@wp/mail'
import { createOutbound, outboundOptions } from '@wp/outbound'
import type { Metrics } from '@wp/runtime'
import {
  closeService,
  connectBrokers,
  createLogger,
  createMetrics,
  createSealer,
  databaseSettings,
  type Logger,
  readConfig,
  type Sealer,
  type ServiceRuntime,
} from '@wp/service'
import type { CustomFetch } from 'openid-client'
import { type ClientDirectory, createClientDirectory } from './clients/client-directory.ts'
import { type Config, config } from './config.ts'
import { createLastUsedRecorder, type LastUsedRecorder } from './last-used-recorder.ts'
import { createOutboundFetch } from './providers/outbound-fetch.ts'
import { createProviders, type Providers } from './providers/providers.ts'
import { createDerivedKeys, type DerivedKeys } from './secrets/derived-keys.ts'
import { createResolveTxt, type ResolveTxt } from './sso/resolve-txt.ts'
import { type Client, createClient } from './store/client.ts'
import { loadSigningKeys, type SigningKeys } from './tokens/signing-keys.ts'
import { createShardPlacement, type ShardPlacement } from './workspaces/shard-placement.ts'

/** Dependencies of the auth service, created once per process. */
export interface Context {
  /** `PUBLIC_BASE_URL`: issuer and first audience of access tokens. */
  publicBaseUrl: string
  /** Name of the product in mails. */
  productName: string
  /** Shard of the auth service itself. */
  shard: string
  shardPlacement: ShardPlacement
  database: Database<Client, ExtraPool>
  bus: Bus
  /** Broker connections to the other cells. */
  cells: readonly Bus[]
  /** Hours between the request of a recovery and the first sign-in by mail. */
  recoveryDelayHours: number
  /** Time in which the deletion of a workspace can be cancelled. */
  workspaceDeletionGraceMs: number
  signingKeys: SigningKeys
  derivedKeys: DerivedKeys
  sealer: Sealer
  /** Undefined if no mail server is configured. */
  mailTransport: MailTransport | undefined
  /** `open` if an unknown address can create an account. */
  signUpPolicy: 'open' | 'closed'
  /** Allowed redirect URIs; at least one. */
  redirectUris: ReadonlySet<string>
  /** External identity providers. */
  providers: Providers
  /** The guarded `fetch` for the providers of companies, whose addresses their administrators choose. */
  ssoFetch: CustomFetch
  /** True in development: providers of companies may be on http. */
  isSsoHttpAllowed: boolean
  resolveTxt: ResolveTxt
  /** Clients that users can authorize. */
  clients: ClientDirectory
  lastUsed: LastUsedRecorder
  log: Logger
  metrics: Metrics
  /** Milliseconds since 1970. */
  now: () => number
  /** Milliseconds of a clock that is never set. */
  elapsedMs: () => number
  /** Closes the outbound clients. */
  close(): Promise<void>
}

type Endpoints = typeof surfaces.auth & typeof systemWorkspaces

/** Implements an endpoint of this service, by its name. */
export type Operation<Name extends keyof Endpoints> = EndpointOperation<Endpoints[Name], Context>

/**
 * Connections of the pools of the worker role for requests. A flood of token requests waits for its own connections, so
 * that it delays neither `resolve`, which every request to the platform needs, nor requests of signed-in users.
 */
const extraPoolSizes = {
  /** `resolve` and `resolveMany`. */
  resolve: 2,
  /** Endpoints without credentials: tokens, and invitations by token. */
  tokens: 2,
  /** Signed-in users, about all their workspaces. */
  users: 2,
}
type ExtraPool = keyof typeof extraPoolSizes

const msPerDay = 86_400_000

const defaultGraceDays = ({ ENVIRONMENT }: Pick<Config, 'ENVIRONMENT'>): number =>
  ENVIRONMENT === 'development' ? 0 : 7

/**
 * Creates the context. Longer than most functions: it lists all that the service is made of.
 * @throws Error if the database is unavailable or the signing keys cannot be unsealed with the KEK
 */
export async function createContext(
  config: Config,
  { log, metrics, tracing, now }: Pick<ServiceRuntime, 'log' | 'metrics' | 'tracing' | 'now'>,
): Promise<Context> {
  const { SHARD: shard, LOCATION: location, PUBLIC_BASE_URL: publicBaseUrl } = config
  const database = openDatabase(config, { log, tracing })
  const { providerOutbound, clientOutbound } = createOutboundClients(config, log)
  const closeOutbound = async () => {
    for (const outbound of [providerOutbound, clientOutbound]) outbound.close()
  }
  const derivedKeys = createDerivedKeys(config.KEK, config.KEK_PREVIOUS)
  const sealer = createSealer(config.KEK, config.KEK_PREVIOUS)
  try {
    const signingKeys = await loadSigningKeys({
      pool: database.worker,
      sealer,
      signingDays: config.SIGNING_KEY_DAYS,
      now,
    })
    const { bus, cells } = await connectBrokers(config, { name: 'auth', log })
    return {
      publicBaseUrl,
      productName: config.PRODUCT_NAME,
      shard,
      shardPlacement: createShardPlacement(config.OPEN_SHARDS, { shard, location }),
      database,
      bus,
      cells,
      recoveryDelayHours: config.PASSKEY_RECOVERY_HOURS,
      workspaceDeletionGraceMs: msPerDay * (config.WORKSPACE_DELETION_GRACE_DAYS ?? defaultGraceDays(config)),
      signingKeys,
      derivedKeys,
      sealer,
      mailTransport: createMailTransportFromConfig(config),
      signUpPolicy: config.SIGNUP,
      redirectUris: new Set([
        ...(config.REDIRECT_URIS.length > 0 ? config.REDIRECT_URIS : [`${publicBaseUrl}/`]),
        publicBaseUrl + consoleCallbackPath,
      ]),
      providers: createProviders(config, providerOutbound, now),
      ssoFetch: createOutboundFetch(clientOutbound, config.ENVIRONMENT === 'development'),
      isSsoHttpAllowed: config.ENVIRONMENT === 'development',
      resolveTxt: createResolveTxt(),
      clients: createClientDirectory({
        derivedKeys,
        outbound: clientOutbound,
        isHttpAllowed: config.ENVIRONMENT === 'development',
        now,
      }),
      lastUsed: createLastUsedRecorder({ pool: database.worker, now, log }),
      log,
      metrics,
      now,
      elapsedMs: () => performance.now(),
      close: closeOutbound,
    }
  } catch (error) {
    await closeOutbound()
    await database.close()
    throw error
  }
}

const openDatabase = (config: Config, { log, tracing }: Pick<ServiceRuntime, 'log' | 'tracing'>) =>
  connectDatabase({
    ...databaseSettings(config),
    prisma: createClient,
    // The relay of each other cell holds one.
    workerPoolSize: config.DATABASE_WORKER_POOL_SIZE + config.CELLS.length,
    extraPoolSizes,
    log,
    tracing,
  })

/**
 * Creates the guarded clients. The operator may have allowed private networks for a provider; a stranger chooses the
 * address of a client's metadata document, so there they are allowed in development only.
 */
function createOutboundClients({ OUTBOUND_ALLOW_CIDRS: allowCidrs = [], ...config }: Config, log: Logger) {
  const options = outboundOptions(config, log)
  return {
    providerOutbound: createOutbound({ ...options, allowCidrs }),
    clientOutbound: createOutbound({ ...options, allowCidrs: config.ENVIRONMENT === 'development' ? allowCidrs : [] }),
  }
}

/**
 * Creates a context without the service, for seeding and for tests that need a token. The caller must close it.
 * @throws ConfigError naming every invalid variable
 */
export async function openContext(env: Readonly<Record<string, string | undefined>>): Promise<Context> {
  const settings = readConfig(config, env)
  const log = createLogger('auth', settings.LOG_LEVEL)
  const context = await createContext(settings, {
    log,
    metrics: createMetrics('auth', { process: false }),
    now: Date.now,
  })
  return { ...context, close: () => closeService(context) }
}
