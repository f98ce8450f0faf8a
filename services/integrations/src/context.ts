import { connectDatabase, type Database } from '@wp/database'
import { type Bus, connectBus } from '@wp/events'
import { createOutbound } from '@wp/outbound'
import {
  brokerSettings,
  createSealer,
  databaseSettings,
  type Logger,
  type Metrics,
  type Sealer,
  type ServiceRuntime,
} from '@wp/service'
import { PrismaClient } from '#db'
import type { Config } from './config.ts'
import type { Outside } from './providers/provider.ts'

/** What the service needs once. */
export interface Context {
  database: Database<PrismaClient>
  bus: Bus
  sealer: Sealer
  /** How providers are reached. */
  outside: Outside
  /** Integrations a workspace may have. */
  quota: number
  log: Logger
  metrics: Metrics
  /** Milliseconds since 1970. */
  now: () => number
}

export async function createContext(config: Config, { log, metrics, now }: ServiceRuntime): Promise<Context> {
  const outbound = createOutbound({
    allowCidrs: config.OUTBOUND_ALLOW_CIDRS ?? [],
    denyCidrs: config.OUTBOUND_DENY_CIDRS ?? [],
    caFile: config.OUTBOUND_CA_FILE,
    production: config.ENVIRONMENT === 'production',
    ...(config.OUTBOUND_PORTS === undefined ? {} : { ports: config.OUTBOUND_PORTS }),
  })
  const database = connectDatabase({
    ...databaseSettings(config),
    prisma: (adapter) => new PrismaClient({ adapter }),
    log,
  })
  const bus = await connectBus({ ...brokerSettings(config), name: 'integrations', log })
  return {
    database,
    bus,
    sealer: createSealer(config.KEK, config.KEK_PREVIOUS),
    outside: {
      outbound,
      timeoutMs: config.CONNECTION_TEST_SECONDS * 1000,
      // Secrets do not travel in the clear, but on the way to a developer's own server.
      protocols: config.ENVIRONMENT === 'development' ? ['https:', 'http:'] : ['https:'],
      bases: {
        google: config.GOOGLE_OAUTH_URL,
        github: config.GITHUB_URL,
        githubApi: config.GITHUB_API_URL,
        slackApi: config.SLACK_API_URL,
        slackHooks: config.SLACK_HOOKS_URL,
      },
    },
    quota: config.INTEGRATIONS_PER_WORKSPACE,
    log,
    metrics,
    now,
  }
}
