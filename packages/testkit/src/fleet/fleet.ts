import type { SignerName } from '@wp/contracts'
import { findFreePort } from '../servers/process/ports.ts'
import type { FleetOptions } from './fleet-options.ts'
import { planFleet } from './fleet-plan.ts'
import { type Member, startInProcess, startMemberProcess } from './member.ts'
import { memberProgram } from './member-program.ts'

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
    // Outdated bundles are built once, not by each member.
    const first = services.find((name) => hasOwnProcess(name, options))
    if (first !== undefined) await memberProgram(first, {})
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

const hasOwnProcess = (name: SignerName, { processes = [] }: FleetOptions): boolean =>
  processes === 'all' || processes.includes(name)

function startProcessOf(name: SignerName, environment: Record<string, string>, options: FleetOptions): Promise<Member> {
  if (hasOwnProcess(name, options)) return startMemberProcess(name, environment)
  const { logger, load, routes } = options
  return startInProcess(name, environment, {
    ...(logger === undefined ? {} : { log: logger(name) }),
    ...(load === undefined ? {} : { load }),
    ...(routes === undefined ? {} : { routes }),
  })
}

/** Waits for all, so that no member is still starting when the first error is thrown. */
async function allSettled(work: readonly Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(work)) if (result.status === 'rejected') throw result.reason
}
