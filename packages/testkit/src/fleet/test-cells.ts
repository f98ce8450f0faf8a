import { randomBytes } from 'node:crypto'
import { type ServiceName, type SignerName, serviceNames, services } from '@wp/contracts'
import { createTestDatabase, type TestDatabase } from '../databases/test-database.ts'
import { findFreePort } from '../servers/ports.ts'
import { type Fleet, type FleetOptions, startFleet } from './fleet.ts'

/** A cell beside the first: its own shard, databases, key and broker. */
export interface CellOptions {
  shard: string
  location: string
  natsUrl: string
}

/** One that runs. */
export interface Cell extends CellOptions {
  fleet: Fleet
  databases: ReadonlyMap<string, TestDatabase>
  stop(): Promise<void>
}

type Environments = Partial<Record<SignerName, Record<string, string>>>

/** Where everything of the cells will be, so that the first can be told before they are there. */
export interface CellPlan {
  cells: readonly (CellOptions & { ports: ReadonlyMap<string, number> })[]
  /** `service.shard`, and its address. */
  addresses: Record<string, string>
  /** The environments of the first cell's members, with what those have to know who serve all shards. */
  addCells(env: Environments): Environments
}

/** Chooses a port for each service of each cell. */
export async function planCells(
  options: readonly CellOptions[],
  names: readonly ServiceName[] = serviceNames,
): Promise<CellPlan> {
  const cellServices = names.filter((name) => !services[name].isGlobal)
  const cells = await Promise.all(
    options.map(async (cell) => {
      const ports = await Promise.all(cellServices.map(async (name) => [name, await findFreePort()] as const))
      return { ...cell, ports: new Map<string, number>(ports) }
    }),
  )
  const addresses = cells.flatMap(({ shard, ports }) =>
    [...ports].map(([name, port]) => [`${name}.${shard}`, `http://127.0.0.1:${port}`] as const),
  )
  const CELLS = cells.map(({ shard, natsUrl }) => `${shard}=${natsUrl}`).join(';')
  const global = ['gateway' as const, ...names.filter((name) => services[name].isGlobal)]
  return {
    cells,
    addresses: Object.fromEntries(addresses),
    addCells: (env) => ({ ...env, ...Object.fromEntries(global.map((name) => [name, { CELLS, ...env[name] }])) }),
  }
}

interface SharedOptions extends Pick<FleetOptions, 'mode' | 'settings'> {
  env: Environments
  postgresUrl: string | undefined
}

/** Starts the cells of a plan beside the fleet that has the global services. */
export async function startCells(home: Fleet, plan: CellPlan, common: SharedOptions): Promise<Map<string, Cell>> {
  const started = await Promise.all(plan.cells.map((cell) => startCell(home, cell, common)))
  return new Map(started.map((cell) => [cell.shard, cell]))
}

async function startCell(home: Fleet, cell: CellPlan['cells'][number], common: SharedOptions): Promise<Cell> {
  const { mode, settings, postgresUrl } = common
  const databases = new Map<string, TestDatabase>()
  const names = serviceNames.filter((name) => cell.ports.has(name))
  const global = Object.entries(home.addresses).filter(([name]) => !cell.ports.has(name))
  const fleet = await startFleet({
    mode,
    edge: false,
    services: names,
    port: (name) => cell.ports.get(name),
    env: Object.fromEntries(names.map((name) => [name, { HOME_SHARD: settings.shard, ...common.env[name] }])),
    settings: {
      ...settings,
      shard: cell.shard,
      location: cell.location,
      natsUrl: cell.natsUrl,
      kek: randomBytes(32).toString('base64'),
      baseUrl: home.baseUrl,
      upstreams: Object.fromEntries(global.map(([name, address]) => [`${name}.${settings.shard}`, address])),
    },
    async database(service) {
      const database = await createTestDatabase(service, postgresUrl)
      databases.set(service, database)
      return database
    },
  })
  return {
    ...cell,
    fleet,
    databases,
    async stop() {
      await fleet.stop()
      await Promise.all([...databases.values()].map((database) => database.drop()))
    },
  }
}
