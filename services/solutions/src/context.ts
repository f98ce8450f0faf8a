import { type Operation as EndpointOperation, problem, type surfaces } from '@wp/contracts'
import { connectDatabase, type Database } from '@wp/database'
import { type Bus, connectBus } from '@wp/events'
import type { Metrics } from '@wp/runtime'
import { brokerSettings, databaseSettings, type InternalCalls, type Logger, type ServiceRuntime } from '@wp/service'
import type { Config } from './config.ts'
import { type Client, createClient } from './store/client.ts'

/** The dependencies of the service, created once per process. */
export interface Context {
  config: Config
  database: Database<Client>
  bus: Bus
  internal: InternalCalls
  log: Logger
  metrics: Metrics
}

type Endpoints = typeof surfaces.solutions

/** Implements an endpoint of this service, by its name. */
export type Operation<Name extends keyof Endpoints> = EndpointOperation<Endpoints[Name], Context>

/** Returns what was looked for. @throws Problem `not_found` if there is none */
export function found<Result>(result: Result | null): Result {
  if (result === null) throw problem('not_found')
  return result
}

export async function createContext(
  config: Config,
  { log, metrics, tracing, internal }: ServiceRuntime,
): Promise<Context> {
  // Loaded at its first use: most processes never write a PDF.
  if (config.REPORT_FONT_FILE !== undefined)
    (await import('@wp/pdf')).checkFont('REPORT_FONT_FILE', config.REPORT_FONT_FILE)
  const database = connectDatabase({ ...databaseSettings(config), prisma: createClient, log, tracing })
  const bus = await connectBus({ ...brokerSettings(config), name: 'solutions', log })
  return { config, database, bus, internal, log, metrics }
}
