import type { InternalCalls, Logger, ServiceRuntime } from '@wp/service'
import type { Config } from './config.ts'

/** The dependencies of the service, created once per process. */
export interface Context {
  config: Config
  internal: InternalCalls
  log: Logger
}

export const createContext = async (config: Config, { log, internal }: ServiceRuntime): Promise<Context> => ({
  config,
  internal,
  log,
})
