import type { ServiceName } from '@wp/contracts'
import type { z } from 'zod'
import type { ProcessConfig } from './config.ts'
import type { Surface } from './http/routes.ts'
import type { InternalCalls } from './internal-calls.ts'
import type { Logger } from './logger.ts'
import type { Metrics } from './metrics.ts'
import type { Upstreams } from './upstreams.ts'

/** Something that works beside the requests: a relay, a consumer, a job runner. */
export interface Worker {
  name: string
  start(): Promise<void>
  /** Finishes or hands back what is under way. */
  stop(): Promise<void>
}

/** What the process gives a service to build its context from. */
export interface Runtime {
  log: Logger
  metrics: Metrics
  internal: InternalCalls
  upstreams: Upstreams
  /** Milliseconds since 1970. */
  now: () => number
}

/** What a service serves. It never listens; the process does. */
export interface Service {
  surfaces: readonly Surface[]
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
  context(config: z.output<Schema>, runtime: Runtime): Promise<Context>
  service(context: Context): Service
}

/** Declares a service; the types of configuration and context follow from it. */
export function defineService<Schema extends z.ZodType<ProcessConfig>, Context>(
  definition: ServiceDefinition<Schema, Context>,
): ServiceDefinition<Schema, Context> {
  return definition
}
