import { type ServiceName, type SignerName, serviceNames } from '@wp/contracts'
import type { Logger } from '@wp/service'
import { findFreePort } from '../servers/ports.ts'
import { buildProcessEnvironment, type DatabaseAddresses, type FleetSettings, hasDatabase } from './environment.ts'
import { type InProcessOptions, type Member, startInProcess, startMemberProcess } from './member.ts'

/** How a fleet is put together. */
export interface FleetOptions {
  settings: Omit<FleetSettings, 'baseUrl' | 'upstreams'> & Partial<Pick<FleetSettings, 'baseUrl' | 'upstreams'>>
  /** `in-process`: all in this one; `processes`: one each, to be killed and started again. */
  mode: 'in-process' | 'processes'
  services?: readonly ServiceName[]
  /** Whether there is an edge; a cell beside the first has none. Default true. */
  edge?: boolean
  /** Members that are known to the others but not started: somebody runs them by hand. */
  excluded?: readonly SignerName[]
  database(service: ServiceName): Promise<DatabaseAddresses>
  /** A fixed port; a free one is taken where it gives none. */
  port?(name: SignerName | 'admin'): number | undefined
  /** Additions to one process's environment. */
  env?: Partial<Record<SignerName, Record<string, string>>>
  log?(line: string): void
  /** Where a member in this process logs; default its own standard output. */
  logger?(name: SignerName): Logger
  /** What the edge, in this process, answers beside the interface. */
  routes?: NonNullable<InProcessOptions['routes']>
}

/** One edge process of several. */
export interface Edge {
  baseUrl: string
  adminUrl: string
  member: Member
}

/** Every service and the edge, running. */
export interface Fleet {
  baseUrl: string
  adminUrl: string
  addresses: Readonly<Record<string, string>>
  env(name: SignerName): Record<string, string>
  member(name: SignerName): Member
  /** Starts a member again on the same port, after it was stopped or killed. */
  restart(name: SignerName, env?: Record<string, string>): Promise<void>
  /** Starts one more edge beside the first, with the same public address and on ports of its own; it ends with the fleet. */
  addEdge(env?: Record<string, string>): Promise<Edge>
  stop(): Promise<void>
}

/** Starts the services side by side, then the edge. @throws what the first that could not start said, after stopping the rest */
export async function startFleet(options: FleetOptions): Promise<Fleet> {
  const names = options.services ?? serviceNames
  const edges = options.edge === false ? [] : (['gateway'] as const)
  const ports = await allocatePorts([...names, 'gateway', 'admin'], options)
  const addresses = Object.fromEntries(names.map((name) => [name, `http://127.0.0.1:${portOf(ports, name)}`]))
  const baseUrl = options.settings.baseUrl ?? `http://127.0.0.1:${portOf(ports, 'gateway')}`
  const settings: FleetSettings = {
    ...options.settings,
    baseUrl,
    upstreams: { ...addresses, ...options.settings.upstreams },
  }
  const environments = new Map<SignerName, Record<string, string>>()
  await Promise.all(
    [...names, ...edges].map(async (name) => {
      const database = name !== 'gateway' && hasDatabase(name) ? await options.database(name) : undefined
      const admin = name === 'gateway' ? { ADMIN_PORT: String(portOf(ports, 'admin')) } : {}
      environments.set(name, {
        ...buildProcessEnvironment(name, settings, portOf(ports, name), database),
        ...admin,
        ...options.env?.[name],
      })
    }),
  )
  const env = (name: SignerName) => environments.get(name) ?? {}
  const members = new Map<SignerName, Member>()

  const additionalEdges: Member[] = []

  const inProcess = (name: SignerName): InProcessOptions => ({
    ...(options.logger === undefined ? {} : { log: options.logger(name) }),
    ...(options.routes === undefined ? {} : { routes: options.routes }),
  })

  const start = (name: SignerName, environment: Record<string, string>): Promise<Member> =>
    options.mode === 'in-process'
      ? startInProcess(name, environment, inProcess(name))
      : startMemberProcess(name, environment)

  async function startMember(name: SignerName): Promise<void> {
    if (options.excluded?.includes(name)) return
    members.set(name, await start(name, env(name)))
    options.log?.(name)
  }

  async function addEdge(more: Record<string, string> = {}): Promise<Edge> {
    const [port, admin] = [await findFreePort(), await findFreePort()]
    const member = await start('gateway', { ...env('gateway'), PORT: `${port}`, ADMIN_PORT: `${admin}`, ...more })
    additionalEdges.push(member)
    return { baseUrl: `http://127.0.0.1:${port}`, adminUrl: `http://127.0.0.1:${admin}`, member }
  }

  async function stop(): Promise<void> {
    await Promise.all([members.get('gateway'), ...additionalEdges].map((edge) => edge?.stop()))
    await Promise.all([...members.values()].map((member) => member.stop()))
  }

  const started = await Promise.allSettled(names.map(startMember))
  const failed = started.find((result) => result.status === 'rejected')
  if (failed === undefined)
    await Promise.all(edges.map(startMember)).catch((error) => stop().then(() => Promise.reject(error)))
  else {
    await stop()
    throw failed.reason
  }
  return {
    baseUrl,
    adminUrl: `http://127.0.0.1:${portOf(ports, 'admin')}`,
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

type Ports = ReadonlyMap<string, number>

async function allocatePorts(names: readonly (SignerName | 'admin')[], options: FleetOptions): Promise<Ports> {
  const taken = await Promise.all(
    names.map(async (name) => [name, options.port?.(name) ?? (await findFreePort())] as const),
  )
  return new Map(taken)
}

function portOf(ports: Ports, name: string): number {
  const port = ports.get(name)
  if (port === undefined) throw new Error(`no port was taken for ${name}`)
  return port
}
