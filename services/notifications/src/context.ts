import type { Operation as EndpointOperation, surfaces } from '@wp/contracts'
import { connectDatabase, type Database } from '@wp/database'
import { type Bus, connectBus } from '@wp/events'
import { createMailTransportFromConfig, type MailTransport } from '@wp/mail'
import { createOutbound, type Outbound, outboundOptions, type Protocol } from '@wp/outbound'
import { brokerSettings, databaseSettings, type ServiceRuntime } from '@wp/service'
import type { Config } from './config.ts'
import { createRecipientDirectory, type RecipientDirectory } from './fan-out/recipient-directory.ts'
import { createUnsubscribeTokens, type UnsubscribeTokens } from './mail/unsubscribe-token.ts'
import { type Client, createClient } from './store/client.ts'

/** The dependencies of the service, created once per process. */
export interface Context extends Pick<ServiceRuntime, 'internal' | 'log' | 'metrics' | 'now'> {
  config: Config
  database: Database<Client>
  bus: Bus
  recipients: RecipientDirectory
  /** Undefined if no mail server is configured: no mail is planned then. */
  mailTransport: MailTransport | undefined
  unsubscribeTokens: UnsubscribeTokens
  outbound: Outbound
  /** URL schemes allowed for Slack. */
  protocols: readonly Protocol[]
}

type Endpoints = typeof surfaces.notifications

/** Implements an endpoint of this service, by its name. */
export type Operation<Name extends keyof Endpoints> = EndpointOperation<Endpoints[Name], Context>

export async function createContext(
  config: Config,
  { log, metrics, internal, tracing, now }: ServiceRuntime,
): Promise<Context> {
  const database = connectDatabase({ ...databaseSettings(config), prisma: createClient, log, tracing })
  const outbound = createOutbound(outboundOptions(config, log))
  const bus = await connectBus({ ...brokerSettings(config), name: 'notifications', log })
  return {
    internal,
    log,
    metrics,
    now,
    config,
    database,
    bus,
    recipients: createRecipientDirectory(internal, now),
    mailTransport: createMailTransportFromConfig(config),
    unsubscribeTokens: createUnsubscribeTokens(config),
    outbound,
    protocols: config.ENVIRONMENT === 'development' ? ['https:', 'http:'] : ['https:'],
  }
}
