import type { Operation as EndpointOperation, surfaces } from '@wp/contracts'
import { connectDatabase, type Database } from '@wp/database'
import { type Bus, connectBus } from '@wp/events'
import { createOutbound, outboundOptions } from '@wp/outbound'
import { FairSemaphore } from '@wp/runtime'
import { brokerSettings, createSealer, databaseSettings, type Sealer, type ServiceRuntime } from '@wp/service'
import type { Config } from './config.ts'
import type { ProviderAccess } from './providers/provider.ts'
import { type Client, createClient } from './store/client.ts'

/** The dependencies of the service, created once per process. */
export interface Context extends Pick<ServiceRuntime, 'log' | 'metrics' | 'now'> {
  database: Database<Client>
  bus: Bus
  sealer: Sealer
  providerAccess: ProviderAccess
  /** Time limit of a whole connection test. */
  testTimeoutMs: number
}

type Endpoints = typeof surfaces.integrations

/** Implements an endpoint of this service, by its name. */
export type Operation<Name extends keyof Endpoints> = EndpointOperation<Endpoints[Name], Context>

/** Tests of PostgreSQL servers at a time: each needs a process of about 100 MiB. */
const maxPostgresTests = 2

export async function createContext(config: Config, { log, metrics, tracing, now }: ServiceRuntime): Promise<Context> {
  const testTimeoutMs = config.CONNECTION_TEST_TOTAL_SECONDS * 1000
  const outbound = createOutbound(outboundOptions(config, log))
  const database = connectDatabase({ ...databaseSettings(config), prisma: createClient, log, tracing })
  const bus = await connectBus({ ...brokerSettings(config), name: 'integrations', log })
  return {
    log,
    metrics,
    now,
    database,
    bus,
    sealer: createSealer(config.KEK, config.KEK_PREVIOUS),
    providerAccess: {
      outbound,
      timeoutMs: config.CONNECTION_TEST_SECONDS * 1000,
      postgresSlots: new FairSemaphore({ size: maxPostgresTests, maxPerKey: 1, maxWaitMs: testTimeoutMs }),
      // Unencrypted connections are for development only: they carry secrets.
      protocols: config.ENVIRONMENT === 'development' ? ['https:', 'http:'] : ['https:'],
      baseUrls: {
        google: config.GOOGLE_OAUTH_URL,
        github: config.GITHUB_URL,
        githubApi: config.GITHUB_API_URL,
        slackApi: config.SLACK_API_URL,
        slackHooks: config.SLACK_HOOKS_URL,
      },
    },
    testTimeoutMs,
  }
}
