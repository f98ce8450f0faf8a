import type { Operation as EndpointOperation, surfaces } from '@wp/contracts'
import { connectDatabase, type Database } from '@wp/database'
import { type Bus, connectBus } from '@wp/events'
import { createOutbound, type Outbound, outboundOptions, type Protocol } from '@wp/outbound'
import { brokerSettings, databaseSettings, type ServiceRuntime } from '@wp/service'
import type { Config } from './config.ts'
import { createModelTransports, type ModelTransports } from './models/transport.ts'
import { type Client, createClient } from './store/client.ts'
import { createLiveEvents, type LiveEvents } from './streams/live-events.ts'

/** The dependencies of the service, created once per process. */
export interface Context extends Pick<ServiceRuntime, 'internal' | 'log' | 'metrics' | 'now'> {
  config: Config
  database: Database<Client>
  bus: Bus
  outbound: Outbound
  /** URL schemes allowed for addresses that users chose. */
  protocols: readonly Protocol[]
  modelTransports: ModelTransports
  liveEvents: LiveEvents
}

type Endpoints = typeof surfaces.agents & typeof surfaces.ai

/** Implements an endpoint of this service, by its name. */
export type Operation<Name extends keyof Endpoints> = EndpointOperation<Endpoints[Name], Context>

export async function createContext(
  config: Config,
  { log, metrics, internal, tracing, now }: ServiceRuntime,
): Promise<Context> {
  // The SDK prints the warnings of models; runs have them in `warnings`.
  globalThis.AI_SDK_LOG_WARNINGS = false
  const database = connectDatabase({ ...databaseSettings(config), prisma: createClient, log, tracing })
  const outbound = createOutbound(outboundOptions(config, log))
  const bus = await connectBus({ ...brokerSettings(config), name: 'ai', log })
  // Plain http is allowed only for servers of a developer.
  const protocols: Protocol[] = config.ENVIRONMENT === 'development' ? ['https:', 'http:'] : ['https:']
  const modelTransports = createModelTransports(outbound, {
    protocols,
    stallMs: config.MODEL_STALL_SECONDS * 1_000,
  })
  return {
    internal,
    log,
    metrics,
    now,
    config,
    database,
    bus,
    outbound,
    protocols,
    modelTransports,
    liveEvents: createLiveEvents(bus),
  }
}
