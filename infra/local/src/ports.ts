import { serviceNames } from '@wp/contracts'
import { processes } from '@wp/deploy/processes'
import { requireFreePort } from '@wp/testkit'
import { UsageError } from './usage-error.ts'

/** A listener of the local fleet: the edge, its admin port, a service, PostgreSQL or NATS. */
export type Listener = 'gateway' | 'admin' | 'postgres' | 'nats' | (typeof serviceNames)[number]

/** The port of each listener, and the option that changes it. */
export type Ports = ReadonlyMap<Listener, { port: number; option: string }>

export interface PortOptions {
  port: number
  basePort: number
  postgresPort: number
  natsPort: number
}

/** Assigns the base port to the admin listener and the ports after it to the services, by their `localPortOffset`. */
export function assignPorts(options: PortOptions): Ports {
  const fromBase = (offset: number) => ({ port: options.basePort + offset, option: '--base-port or BASE_PORT' })
  const ports: Ports = new Map<Listener, { port: number; option: string }>([
    ['gateway', { port: options.port, option: '--port or PORT' }],
    ['admin', fromBase(processes.gateway.localPortOffset)],
    ...serviceNames.map((name) => [name, fromBase(processes[name].localPortOffset)] as const),
    ['postgres', { port: options.postgresPort, option: '--postgres-port or POSTGRES_PORT' }],
    ['nats', { port: options.natsPort, option: '--nats-port or NATS_PORT' }],
  ])
  const users = Map.groupBy(ports, ([, { port }]) => port)
  for (const [port, [first, second]] of users)
    if (first !== undefined && second !== undefined)
      throw new UsageError(
        `port ${port} is assigned to both ${first[0]} and ${second[0]}: change it with ${second[1].option}`,
      )
  return ports
}

export function portOf(ports: Ports, name: Listener): number {
  const found = ports.get(name)
  if (found === undefined) throw new Error(`no port was assigned to ${name}`)
  return found.port
}

/** @throws UsageError naming the first port that another process listens on, and the option that changes it */
export async function requireFreePorts(ports: Ports, names: readonly Listener[]): Promise<void> {
  for (const name of names)
    await requireFreePort(portOf(ports, name), name).catch((cause: unknown) => {
      throw new UsageError(portTakenMessage(ports, name), { cause })
    })
}

/** An error message that names the port and the option that changes it. */
export function portTakenMessage(ports: Ports, name: Listener): string {
  const { port, option } = ports.get(name) ?? { port: '?', option: 'its option' }
  return `port ${port}, for ${name}, is used by another process: stop that process, or choose another port with ${option}`
}
