import type { jsonSchemaValidator } from '@modelcontextprotocol/server'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv'
import type { Operation as EndpointOperation, surfaces } from '@wp/contracts'
import { FairSemaphore } from '@wp/runtime'
import type { InternalCalls, Logger, ServiceRuntime } from '@wp/service'
import type { Config } from './config.ts'
import { createToolCatalog, type ToolCatalog } from './tools/tool-catalog.ts'

/** Calls to other services in progress, in all and for one workspace. Each holds a result of up to 8 MiB. */
const [maxCalls, maxCallsPerWorkspace] = [64, 8]
/** Maximum time a call waits for its turn, in milliseconds. */
const maxCallWaitMs = 5_000

/** The dependencies of the service, created once per process. */
export interface Context {
  config: Config
  internal: InternalCalls
  log: Logger
  tools: ToolCatalog
  /** Limits the calls to other services, in turns by workspace. */
  slots: FairSemaphore
  /** Shared: the library would create one for every message. */
  jsonSchemaValidator: jsonSchemaValidator
}

type Endpoints = typeof surfaces.mcp

/** Implements an endpoint of this service, by its name. */
export type Operation<Name extends keyof Endpoints> = EndpointOperation<Endpoints[Name], Context>

export const createContext = async (config: Config, { log, internal }: ServiceRuntime): Promise<Context> => ({
  config,
  internal,
  log,
  tools: createToolCatalog(),
  slots: new FairSemaphore({ size: maxCalls, maxPerKey: maxCallsPerWorkspace, maxWaitMs: maxCallWaitMs }),
  jsonSchemaValidator: new AjvJsonSchemaValidator(),
})
