import { randomBytes } from 'node:crypto'
import { type ServiceName, type SignerName, serviceNames, services } from '@wp/contracts'
import { createTestDatabase, type TestDatabase } from '../databases/test-database.ts'
import { findFreePort } from '../servers/process/ports.ts'
import { type Fleet, startFleet } from './fleet.ts'
import type { FleetOptions } from './fleet-options.ts'

/** A cell other than the home cell, with its own shard, databases, encryption key and broker. */
export interface CellOptions {
  shard: string
  location: string
  natsUrl: string
}

/** A running cell. */
export interface Cell extends CellOptions {
  fleet: Fleet
  databases: ReadonlyMap<string, TestDatabase>
  stop(): Promise<void>
}

type Environments = Partial<Record<SignerName, Record<string, string>>>

/** The addresses of the cells, which the home cell needs before they are started. */
export interface CellPlan {
  cells: readonly (CellOptions & { ports: ReadonlyMap<string, number> })[]
  /** The address of each service, by `service.shard`. */
  addresses: Record<string, string>
  /** Adds the list of cells to the environments of the global processes. */
  addCells(env: Environments): Environments
}

/** Assigns a port to each service of each cell. */
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

interface SharedOptions extends Pick<FleetOptions, 'processes' | 'settings'> {
  env: Environments
  postgresUrl: string | undefined
}

/** Starts the cells of a plan, which use the global services of the home fleet. */
export async function startCells(home: Fleet, plan: CellPlan, common: SharedOptions): Promise<Map<string, Cell>> {
  const started = await Promise.all(plan.cells.map((cell) => startCell(home, cell, common)))
  return new Map(started.map((cell) => [cell.shard, cell]))
}

async function startCell(home: Fleet, cell: CellPlan['cells'][number], common: SharedOptions): Promise<Cell> {
  const { processes, settings, postgresUrl } = common
  const databases = new Map<string, TestDatabase>()
  const names = serviceNames.filter((name) => cell.ports.has(name))
  const global = Object.entries(home.addresses).filter(([name]) => !cell.ports.has(name))
  const fleet = await startFleet({
    ...(processes === undefined ? {} : { processes }),
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
