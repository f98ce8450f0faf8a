import { serviceNames } from '@wp/contracts'
import { connectDatabase, type Database } from '@wp/database'
import { type Bus, connectBus } from '@wp/events'
import {
  brokerSettings,
  createSealer,
  databaseSettings,
  type InternalCalls,
  type Logger,
  type Metrics,
  type Runtime,
  type Sealer,
} from '@wp/service'
import { PrismaClient } from '#db'
import type { Config } from './config.ts'
import { createFleetHealth, type FleetHealth } from './health/fleet-health.ts'

/** What the service needs once. */
export interface Context {
  database: Database<PrismaClient>
  bus: Bus
  internal: InternalCalls
  sealer: Sealer
  fleetHealth: FleetHealth
  log: Logger
  metrics: Metrics
}

export async function createContext(
  config: Config,
  { log, metrics, internal, upstreams, now }: Runtime,
): Promise<Context> {
  const database = connectDatabase({
    ...databaseSettings(config),
    prisma: (adapter) => new PrismaClient({ adapter }),
    log,
  })
  const bus = await connectBus({ ...brokerSettings(config), name: 'system', log })
  const addressOf = (name: (typeof serviceNames)[number]) => upstreams.of(name, config.SHARD)
  const fleetHealth = createFleetHealth({ names: serviceNames, addressOf, now })
  return { database, bus, internal, sealer: createSealer(config.KEK, config.KEK_PREVIOUS), fleetHealth, log, metrics }
}
