import type { ServiceName, SignerName } from '@wp/contracts'
import type { Logger } from '@wp/service'
import { findFreePort } from '../servers/ports.ts'
import type { DatabaseAddresses, FleetSettings } from './environment.ts'
import { planFleet } from './fleet-plan.ts'
import { type InProcessOptions, type Member, startInProcess, startMemberProcess } from './member.ts'

export interface FleetOptions {
  settings: Omit<FleetSettings, 'baseUrl' | 'upstreams'> & Partial<Pick<FleetSettings, 'baseUrl' | 'upstreams'>>
  /** `in-process`: all members in this process. `processes`: one process each, which can be killed and restarted. */
  mode: 'in-process' | 'processes'
  services?: readonly ServiceName[]
  /** Start an edge. Default true; only the home cell has one. */
  edge?: boolean
  /** Members that the others know but that are not started, because the user runs them separately. */
  excluded?: readonly SignerName[]
  /** Creates the database of a service. */
  database(service: ServiceName): Promise<DatabaseAddresses>
  /** Returns a fixed port, or undefined for a free one. */
  port?(name: SignerName | 'admin'): number | undefined
  /** Additional environment of each member. */
  env?: Partial<Record<SignerName, Record<string, string>>>
  /** Returns the logger of a member in this process. Default: standard output. */
  logger?(name: SignerName): Logger
  /** Additional routes of an edge in this process. */
  routes?: NonNullable<InProcessOptions['routes']>
}

/** One of several edges. */
export interface Edge {
  baseUrl: string
  adminUrl: string
  member: Member
}

/** The running services and their edge. */
export interface Fleet {
  baseUrl: string
  adminUrl: string
  addresses: Readonly<Record<string, string>>
  env(name: SignerName): Record<string, string>
  member(name: SignerName): Member
  /** Starts a stopped or killed member on its port, with additional environment. */
  restart(name: SignerName, env?: Record<string, string>): Promise<void>
  /** Starts another edge on its own ports, with the public address of the first. It is stopped with the fleet. */
  addEdge(env?: Record<string, string>): Promise<Edge>
  stop(): Promise<void>
}

/**
 * Starts the services concurrently, then the edge.
 * @throws the error of the first member that does not start, after stopping the others
 */
export async function startFleet(options: FleetOptions): Promise<Fleet> {
  const { services, hasEdge, baseUrl, adminUrl, addresses, environments } = await planFleet(options)
  const members = new Map<SignerName, Member>()
  const additionalEdges: Member[] = []
  const env = (name: SignerName) => environments.get(name) ?? {}

  async function startMember(name: SignerName): Promise<void> {
    if (options.excluded?.includes(name)) return
    members.set(name, await startProcessOf(name, env(name), options))
  }

  async function addEdge(more: Record<string, string> = {}): Promise<Edge> {
    const [port, adminPort] = [await findFreePort(), await findFreePort()]
    const environment = { ...env('gateway'), PORT: `${port}`, ADMIN_PORT: `${adminPort}`, ...more }
    const member = await startProcessOf('gateway', environment, options)
    additionalEdges.push(member)
    return { baseUrl: `http://127.0.0.1:${port}`, adminUrl: `http://127.0.0.1:${adminPort}`, member }
  }

  /** Edges stop first, because they call the services. */
  async function stop(): Promise<void> {
    await Promise.all([members.get('gateway'), ...additionalEdges].map((edge) => edge?.stop()))
    await Promise.all([...members.values()].map((member) => member.stop()))
  }

  try {
    await allSettled(services.map(startMember))
    if (hasEdge) await startMember('gateway')
  } catch (error) {
    await stop()
    throw error
  }
  return {
    baseUrl,
    adminUrl,
    addresses,
    env,
    member(name) {
      const member = members.get(name)
      if (member === undefined) throw new Error(`${name} is not part of this fleet`)
      return member
    },
    async restart(name, more = {}) {
      environments.set(name, { ...env(name), ...more })
      await startMember(name)
    },
    addEdge,
    stop,
  }
}

function startProcessOf(
  name: SignerName,
  environment: Record<string, string>,
  { mode, logger, routes }: FleetOptions,
): Promise<Member> {
  if (mode === 'processes') return startMemberProcess(name, environment)
  return startInProcess(name, environment, {
    ...(logger === undefined ? {} : { log: logger(name) }),
    ...(routes === undefined ? {} : { routes }),
  })
}

/** Waits for all, so that no member is still starting when the first error is thrown. */
async function allSettled(work: readonly Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(work)) if (result.status === 'rejected') throw result.reason
}
