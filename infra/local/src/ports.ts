import { serviceNames } from '@wp/contracts'
import { processes } from '@wp/deploy/processes'
import { requireFreePort } from '@wp/testkit'
import { UsageError } from './usage-error.ts'

/** What listens in a local fleet: the edge, its admin side, each service, and the two servers. */
export type Listener = 'gateway' | 'admin' | 'postgres' | 'nats' | (typeof serviceNames)[number]

/** Which port each listener gets, and how to give it another. */
export type Ports = ReadonlyMap<Listener, { port: number; option: string }>

export interface PortOptions {
  port: number
  basePort: number
  postgresPort: number
  natsPort: number
}

/** The admin side takes the base port, the services those after it, as the contracts say. */
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
        `port ${port} is asked for twice, for ${first[0]} and ${second[0]}: change it by ${second[1].option}`,
      )
  return ports
}

export function portOf(ports: Ports, name: Listener): number {
  const found = ports.get(name)
  if (found === undefined) throw new Error(`no port was assigned to ${name}`)
  return found.port
}

/** @throws UsageError naming the first port that somebody else listens on, and the variable that changes it */
export async function requireFreePorts(ports: Ports, names: readonly Listener[]): Promise<void> {
  for (const name of names)
    await requireFreePort(portOf(ports, name), name).catch((cause: unknown) => {
      throw new UsageError(portTakenMessage(ports, name), { cause })
    })
}

/** Says which port is taken, and what to do. */
export function portTakenMessage(ports: Ports, name: Listener): string {
  const { port, option } = ports.get(name) ?? { port: '?', option: 'its option' }
  return `port ${port}, for ${name}, is taken by another process: end that, or choose another port by ${option}`
}
