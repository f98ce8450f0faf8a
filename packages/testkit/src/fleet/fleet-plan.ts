import { type ServiceName, type SignerName, serviceNames } from '@wp/contracts'
import { findFreePort } from '../servers/process/ports.ts'
import { buildProcessEnvironment, type FleetSettings, hasDatabase } from './environment.ts'
import type { FleetOptions } from './fleet-options.ts'

/** The addresses and the environments of a fleet's processes. */
export interface FleetPlan {
  services: readonly ServiceName[]
  hasEdge: boolean
  baseUrl: string
  adminUrl: string
  addresses: Readonly<Record<string, string>>
  environments: Map<SignerName, Record<string, string>>
}

/** Assigns ports, creates the databases, and builds the environment of every process. */
export async function planFleet(options: FleetOptions): Promise<FleetPlan> {
  const services = options.services ?? serviceNames
  const hasEdge = options.edge ?? true
  const ports = await assignPorts([...services, 'gateway', 'admin'], options)
  const addressOf = (name: string) => `http://127.0.0.1:${portOf(ports, name)}`
  const addresses = Object.fromEntries(services.map((name) => [name, addressOf(name)]))
  const baseUrl = options.settings.baseUrl ?? addressOf('gateway')
  const upstreams = { ...addresses, ...options.settings.upstreams }
  const settings: FleetSettings = { ...options.settings, baseUrl, upstreams }
  const names: SignerName[] = hasEdge ? [...services, 'gateway'] : [...services]
  const environments = await Promise.all(
    names.map(async (name) => {
      const database = name !== 'gateway' && hasDatabase(name) ? await options.database(name) : undefined
      const environment = {
        ...buildProcessEnvironment(name, settings, portOf(ports, name), database),
        ...(name === 'gateway' ? { ADMIN_PORT: String(portOf(ports, 'admin')) } : {}),
        ...(name === 'console' ? { EDGE_URL: addressOf('gateway') } : {}),
        ...options.env?.[name],
      }
      return [name, environment] as const
    }),
  )
  return { services, hasEdge, baseUrl, adminUrl: addressOf('admin'), addresses, environments: new Map(environments) }
}

type Ports = ReadonlyMap<string, number>

async function assignPorts(names: readonly (SignerName | 'admin')[], options: FleetOptions): Promise<Ports> {
  const assigned = names.map(async (name) => [name, options.port?.(name) ?? (await findFreePort())] as const)
  return new Map(await Promise.all(assigned))
}

function portOf(ports: Ports, name: string): number {
  const port = ports.get(name)
  if (port === undefined) throw new Error(`no port was assigned to ${name}`)
  return port
}
