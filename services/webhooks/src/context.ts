import type { InternalCalls, ProcessConfig, Runtime } from '@wp/service'

/** What the service needs once: a way to the service that keeps the data. */
export interface Context {
  internal: InternalCalls
}

export const createContext = async (_config: ProcessConfig, { internal }: Runtime): Promise<Context> => ({ internal })
