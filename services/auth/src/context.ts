import { connectDatabase, type Database } from '@wp/database'
import { type Bus, connectBus } from '@wp/events'
import {
  brokerSettings,
  cellBrokerSettings,
  createSealer,
  databaseSettings,
  type Logger,
  type Metrics,
  type Sealer,
  type ServiceRuntime,
} from '@wp/service'
import { PrismaClient } from '#db'
import type { Config } from './config.ts'
import { createMailTransportFromConfig, type MailTransport } from './mail/mail-transport.ts'
import { createProviders, type Providers } from './providers/providers.ts'
import { createDerivedKeys, type DerivedKeys } from './secrets/derived-keys.ts'
import { loadSigningKeys, type SigningKeys } from './tokens/signing-keys.ts'
import { createLastUsedRecorder, type LastUsedRecorder } from './usage/last-used-recorder.ts'
import { createShardPlacement, type ShardPlacement } from './workspaces/shard-placement.ts'

/** What the auth service needs once. */
export interface Context {
  /** `PUBLIC_BASE_URL`: issuer and first audience of access tokens. */
  publicBaseUrl: string
  /** Where auth itself is. */
  shard: string
  /** Where workspaces are put. */
  shardPlacement: ShardPlacement
  database: Database<PrismaClient>
  bus: Bus
  /** Brokers of the other cells. */
  cells: readonly Bus[]
  signingKeys: SigningKeys
  derivedKeys: DerivedKeys
  sealer: Sealer
  /** Undefined: there is no mail server, and mails stay where they are. */
  mailTransport: MailTransport | undefined
  /** Whether an address nobody knows may make itself an account. */
  signUpPolicy: 'open' | 'closed'
  /** Where browsers may be sent on to. */
  redirectUris: ReadonlySet<string>
  /** Where people have accounts already. */
  providers: Providers
  lastUsed: LastUsedRecorder
  log: Logger
  metrics: Metrics
  /** Milliseconds since 1970. */
  now: () => number
  close(): Promise<void>
}

/** Requests to `resolve` run on the worker role beside the relay of each cell and the retention, which hold one each. */
const extraWorkerConnections = 2

/** @throws when the database or its schema is not there, or the signing keys do not open with this KEK */
export async function createContext(
  config: Config,
  { log, metrics, now }: Pick<ServiceRuntime, 'log' | 'metrics' | 'now'>,
): Promise<Context> {
  const { SHARD: shard, LOCATION: location, PUBLIC_BASE_URL: base } = config
  const database = connectDatabase({
    ...databaseSettings(config),
    prisma: (adapter) => new PrismaClient({ adapter }),
    workerPoolSize: config.DATABASE_POOL_SIZE + extraWorkerConnections + config.CELLS.length,
    log,
  })
  const providers = createProviders(config, now)
  const sealer = createSealer(config.KEK, config.KEK_PREVIOUS)
  try {
    const signingKeys = await loadSigningKeys({
      pool: database.worker,
      sealer,
      signingDays: config.SIGNING_KEY_DAYS,
      now,
      log,
    })
    const connect = (broker: ReturnType<typeof brokerSettings>) => connectBus({ ...broker, name: 'auth', log })
    const [bus, cells] = await Promise.all([
      connect(brokerSettings(config)),
      Promise.all(cellBrokerSettings(config).map(connect)),
    ])
    return {
      publicBaseUrl: base,
      shard,
      shardPlacement: createShardPlacement(config.OPEN_SHARDS, { shard, location }),
      database,
      bus,
      cells,
      signingKeys,
      derivedKeys: createDerivedKeys(config.KEK, config.KEK_PREVIOUS),
      sealer,
      mailTransport: createMailTransportFromConfig(config),
      signUpPolicy: config.SIGNUP,
      redirectUris: new Set(config.REDIRECT_URIS),
      providers,
      lastUsed: createLastUsedRecorder({ pool: database.worker, now, log }),
      log,
      metrics,
      now,
      close: async () => {
        providers.close()
        await Promise.all([bus, ...cells].map((each) => each.close()))
        await database.close()
      },
    }
  } catch (error) {
    providers.close()
    await database.close()
    throw error
  }
}
