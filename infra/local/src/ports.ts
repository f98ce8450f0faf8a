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

/**
 * Checks that these ports are free. If one is not, also checks the ports of the other listeners, so that the error
 * names all. Those of PostgreSQL and NATS are not checked otherwise, because their servers may have been left by a
 * killed fleet; such a server is stopped when the new one starts.
 * @throws UsageError naming every port that another process listens on, and the option that changes it
 */
export async function requireFreePorts(ports: Ports, names: readonly Listener[]): Promise<void> {
  const taken = await findTakenPorts(ports, names)
  if (taken.length === 0) return
  const others = [...ports.keys()].filter((name) => !names.includes(name))
  throw new UsageError(portsTakenMessage(ports, [...taken, ...(await findTakenPorts(ports, others))]))
}

async function findTakenPorts(ports: Ports, names: readonly Listener[]): Promise<Listener[]> {
  const isTaken = (name: Listener) =>
    requireFreePort(portOf(ports, name), name).then(
      () => false,
      () => true,
    )
  const taken = await Promise.all(names.map(isTaken))
  return names.filter((_, index) => taken[index])
}

/** Returns an error message that lists the ports of these listeners, and the options that change them. */
export function portsTakenMessage(ports: Ports, names: readonly Listener[]): string {
  const rows = names.map((name) => ({ name, ...(ports.get(name) ?? { port: '?', option: 'its option' }) }))
  const [only, ...others] = rows
  if (only !== undefined && others.length === 0)
    return `port ${only.port}, for ${only.name}, is used by another process: stop that process, or choose another port with ${only.option}`
  return [
    'these ports are used by other processes: stop them, or choose other ports',
    ...rows.map(({ port, name, option }) => `  ${`${port}`.padEnd(6)} ${name.padEnd(17)} ${option}`),
  ].join('\n')
}
