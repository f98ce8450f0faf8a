import { connectDatabase, type Database } from '@wp/database'
import { type Bus, connectBus } from '@wp/events'
import {
  brokerSettings,
  cellBrokers,
  createSealer,
  databaseSettings,
  type Logger,
  type Metrics,
  type Runtime,
  type Sealer,
} from '@wp/service'
import { PrismaClient } from '#db'
import type { Config } from './config.ts'
import { mailTransportOf, type Transport } from './mail/transport.ts'
import { createProviders, type Providers } from './providers/providers.ts'
import { createServerKeys, type ServerKeys } from './secrets/server-keys.ts'
import { openSigningKeys, type SigningKeys } from './tokens/signing-keys.ts'
import { createLastUsed, type LastUsed } from './usage/last-used.ts'
import { createHomes, type Homes } from './workspaces/homes.ts'

/** What the auth service needs once. */
export interface Context {
  /** `PUBLIC_BASE_URL`: issuer and first audience of access tokens. */
  base: string
  /** Where auth itself is. */
  shard: string
  /** Where workspaces are put. */
  homes: Homes
  database: Database<PrismaClient>
  bus: Bus
  /** Brokers of the other cells. */
  cells: readonly Bus[]
  signingKeys: SigningKeys
  serverKeys: ServerKeys
  sealer: Sealer
  /** Undefined: there is no mail server, and mails stay where they are. */
  mailTransport: Transport | undefined
  /** Whether an address nobody knows may make itself an account. */
  signup: 'open' | 'closed'
  /** Where browsers may be sent on to. */
  redirectUris: ReadonlySet<string>
  /** Where people have accounts already. */
  providers: Providers
  lastUsed: LastUsed
  log: Logger
  metrics: Metrics
  /** Milliseconds since 1970. */
  now: () => number
  close(): Promise<void>
}

/** Requests to `resolve` run on the worker role beside the relay of each cell and the retention, which hold one each. */
const workersConnections = 2

/** @throws when the database or its schema is not there, or the signing keys do not open with this KEK */
export async function createContext(
  config: Config,
  { log, metrics, now }: Pick<Runtime, 'log' | 'metrics' | 'now'>,
): Promise<Context> {
  const { SHARD: shard, LOCATION: location, PUBLIC_BASE_URL: base } = config
  const database = connectDatabase({
    ...databaseSettings(config),
    prisma: (adapter) => new PrismaClient({ adapter }),
    workerPoolSize: config.DATABASE_POOL_SIZE + workersConnections + config.CELLS.length,
    log,
  })
  const providers = createProviders(config, now)
  const sealer = createSealer(config.KEK, config.KEK_PREVIOUS)
  try {
    const signingKeys = await openSigningKeys({
      pool: database.worker,
      sealer,
      signingDays: config.SIGNING_KEY_DAYS,
      now,
      log,
    })
    const join = (broker: ReturnType<typeof brokerSettings>) => connectBus({ ...broker, name: 'auth', log })
    const [bus, cells] = await Promise.all([join(brokerSettings(config)), Promise.all(cellBrokers(config).map(join))])
    return {
      base,
      shard,
      homes: createHomes(config.OPEN_SHARDS, { shard, location }),
      database,
      bus,
      cells,
      signingKeys,
      serverKeys: createServerKeys(config.KEK, config.KEK_PREVIOUS),
      sealer,
      mailTransport: mailTransportOf(config),
      signup: config.SIGNUP,
      redirectUris: new Set(config.REDIRECT_URIS),
      providers,
      lastUsed: createLastUsed({ pool: database.worker, now, log }),
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
