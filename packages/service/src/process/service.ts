import type { ServiceName } from '@wp/contracts'
import type { z } from 'zod'
import type { InternalCalls } from '../calls/internal-calls.ts'
import type { Upstreams } from '../calls/upstreams.ts'
import type { ProcessConfig } from '../config/config.ts'
import type { BoundSurface } from '../http/routes.ts'
import type { Logger } from '../telemetry/logger.ts'
import type { Metrics } from '../telemetry/metrics.ts'

/** Something that works beside the requests: a relay, a consumer, a job runner. */
export interface Worker {
  name: string
  start(): Promise<void>
  /** Finishes or hands back what is under way. */
  stop(): Promise<void>
}

/** What the process gives a service to build its context from. */
export interface ServiceRuntime {
  log: Logger
  metrics: Metrics
  internal: InternalCalls
  upstreams: Upstreams
  /** Milliseconds since 1970. */
  now: () => number
}

/** What a service serves. It never listens; the process does. */
export interface Service {
  surfaces: readonly BoundSurface[]
  workers?: readonly Worker[]
  /** Whether the service could start and its schema is there; never whether a shared dependency answers. */
  ready?(): Promise<boolean>
  close(): Promise<void>
}

/** A service, from its configuration to what it serves. */
export interface ServiceDefinition<
  Schema extends z.ZodType<ProcessConfig> = z.ZodType<ProcessConfig>,
  Context = unknown,
> {
  name: ServiceName
  config: Schema
  createContext(config: z.output<Schema>, runtime: ServiceRuntime): Promise<Context>
  createService(context: Context): Service
}

/** Declares a service; the types of configuration and context follow from it. */
export function defineService<Schema extends z.ZodType<ProcessConfig>, Context>(
  definition: ServiceDefinition<Schema, Context>,
): ServiceDefinition<Schema, Context> {
  return definition
}
