import type { ServiceName } from '@wp/contracts'
import type { Database } from '@wp/database'
import type { MeterLimit } from '@wp/database/meter-limits'
import type { StoredPlanLimits } from '@wp/database/plan-limits'
import type { Bus } from '@wp/events'
import type { BackgroundWork } from '@wp/jobs/background'
import type { WorkspaceDeletionPolicy } from '@wp/jobs/data-deletion'
import type { Metrics, Tracing, Worker } from '@wp/runtime'
import type { z } from 'zod'
import type { InternalCalls } from '../calls/internal-calls.ts'
import type { ClientAddressHeaders, Upstreams } from '../calls/site-calls.ts'
import type { ProcessConfig } from '../config/process-config.ts'
import type { BoundSurface } from '../http/bound-surface.ts'
import type { SiteHandler } from '../http/serve-site.ts'
import type { SealedStore } from '../secrets/rotate-encryption.ts'
import type { Sealer } from '../secrets/sealer.ts'
import type { Logger } from '../telemetry/logger.ts'
import type { LimitsListener } from './limits-consumers.ts'

/** Objects of the process from which a service builds its context. */
export interface ServiceRuntime {
  log: Logger
  metrics: Metrics
  /** Undefined if tracing is off. */
  tracing?: Tracing | undefined
  internal: InternalCalls
  upstreams: Upstreams
  /** For a site, which calls the API at the edge for its users. */
  clientAddressHeaders: ClientAddressHeaders
  /** Milliseconds since 1970. */
  now: () => number
}

/**
 * The parts of a service that a process runs. The service itself never listens, and declares its background work as
 * data: jobs, retention and schedules, which need `database`.
 */
export interface Service extends BackgroundWork {
  surfaces: readonly BoundSurface[]
  /** Serves the requests that no endpoint of the surfaces serves; they are 404 without it. */
  site?: SiteHandler
  /**
   * The database of the service. The process applies retention to its platform tables, and is ready once its schema
   * exists; readiness never depends on whether a shared dependency answers. Rows of deleted workspaces are deleted.
   */
  database?: Database
  /** Broker connection of the service's own cell. The process relays the outbox of `database` to it. */
  bus?: Bus
  /** Broker connections of the other cells, for a service that serves all of them. */
  cells?: readonly Bus[]
  /** Sealed values, which the process re-encrypts after a change of the key-encryption key. */
  sealing?: {
    sealer: Sealer
    // biome-ignore lint/suspicious/noExplicitAny: each store knows the rows it returns and takes back
    stores: readonly SealedStore<any>[]
  }
  /** Further steps of the service when a workspace is deleted; its rows are deleted without them. */
  workspaceDeletion?: WorkspaceDeletionPolicy
  /** Further steps of the service when the limits of a plan change; they are stored without them. */
  onPlanLimitsChanged?: LimitsListener<StoredPlanLimits>
  /** Further steps of the service when a meter is exhausted, or no longer is; the state is stored without them. */
  onMeterLimitChanged?: LimitsListener<MeterLimit>
  /** Workers that are neither jobs, retention nor schedules: consumers, for example. */
  workers?: readonly Worker[]
  /**
   * Closes what the context opened beside the database and the broker connections, which the process closes after it,
   * once requests and workers have ended.
   */
  close?(): void | Promise<void>
}

/** The steps from an environment to a running service: configuration, context, service. */
export interface ServiceDefinition<
  Schema extends z.ZodType<ProcessConfig> = z.ZodType<ProcessConfig>,
  Context = unknown,
> {
  name: ServiceName
  config: Schema
  createContext(config: z.output<Schema>, runtime: ServiceRuntime): Promise<Context>
  createService(context: Context): Service
}

/** Declares a service. The types of its configuration and context are inferred. */
export function defineService<Schema extends z.ZodType<ProcessConfig>, Context>(
  definition: ServiceDefinition<Schema, Context>,
): ServiceDefinition<Schema, Context> {
  return definition
}
