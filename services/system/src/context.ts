import { type Operation as EndpointOperation, serviceNames, services, type surfaces } from '@wp/contracts'
import { connectDatabase, type Database } from '@wp/database'
import type { Bus } from '@wp/events'
import {
  allShards,
  connectBrokers,
  createSealer,
  databaseSettings,
  type Sealer,
  type ServiceRuntime,
} from '@wp/service'
import type { Config } from './config.ts'
import { createFleetHealth, type FleetHealth } from './fleet-health.ts'
import { type Client, createClient } from './store/client.ts'

/** The dependencies of the operations. */
export interface Context extends Pick<ServiceRuntime, 'internal' | 'log' | 'metrics' | 'now'> {
  database: Database<Client>
  bus: Bus
  /** Broker connections of the other cells. */
  cells: readonly Bus[]
  sealer: Sealer
  fleetHealth: FleetHealth
}

type Endpoints = typeof surfaces.system

/** Implements an endpoint of this service, by its name. */
export type Operation<Name extends keyof Endpoints> = EndpointOperation<Endpoints[Name], Context>

export async function createContext(
  config: Config,
  { log, metrics, upstreams, internal, tracing, now }: ServiceRuntime,
): Promise<Context> {
  const database = connectDatabase({
    ...databaseSettings(config),
    prisma: createClient,
    // one for retention and one for the relay of each cell
    workerPoolSize: config.DATABASE_WORKER_POOL_SIZE + config.CELLS.length,
    log,
    tracing,
  })
  const { bus, cells } = await connectBrokers(config, { name: 'system', log })
  const members = serviceNames.flatMap((name) =>
    (services[name].isGlobal ? [config.SHARD] : allShards(config)).map((shard) => ({ name, shard })),
  )
  const fleetHealth = createFleetHealth({ instances: members, addressOf: upstreams.addressOf, now })
  return {
    internal,
    log,
    metrics,
    now,
    database,
    bus,
    cells,
    sealer: createSealer(config.KEK, config.KEK_PREVIOUS),
    fleetHealth,
  }
}
