import { isGlobal, type ServiceName } from '@wp/contracts'
import { type Bus, connectBus } from '@wp/events'
import type { Log } from '@wp/runtime'
import { z } from 'zod'
import { brokerSettings, type ProcessConfig } from './process-config.ts'
import { readConfig } from './read-config.ts'

const cellList = z.string().transform((value, context) => {
  const entries = value
    .split(';')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  const cells = entries
    .map((entry) => /^([a-z0-9]{1,16})=(\S+)$/.exec(entry)?.slice(1))
    .filter((match) => match !== undefined)
    .map(([shard = '', servers = '']) => ({ shard, servers }))
  if (cells.length < entries.length || new Set(cells.map(({ shard }) => shard)).size < cells.length)
    context.addIssue({ code: 'custom', message: 'must be shard=address of its broker; …, each shard once' })
  return cells
})

/** Configuration of a process that serves all shards: the edge and the global services. */
export const cellsConfig = {
  /**
   * The other cells and their brokers: `two=nats://nats.two:4222;three=nats://a:4222,nats://b:4222`. Events of a
   * workspace are published in its own cell.
   */
  CELLS: cellList.prefault(''),
}

const cellsOnly = z.object(cellsConfig)
type CellsConfig = z.output<typeof cellsOnly>

/** Returns the shards whose workspaces a service serves: its own, or all known shards for a global service. */
export function servedShards(
  service: ServiceName,
  config: ProcessConfig,
  env: Parameters<typeof readConfig>[1],
): string[] {
  return isGlobal(service) ? allShards({ ...config, ...readConfig(cellsOnly, env) }) : [config.SHARD]
}

/** Returns the broker settings of the other cells for @wp/events. They differ from those of the own cell by address. */
export const cellBrokerSettings = (config: CellsConfig & Parameters<typeof brokerSettings>[0]) =>
  config.CELLS.map((cell) => ({ ...brokerSettings(config), ...cell }))

/** Returns every shard, the own first. */
export const allShards = (config: CellsConfig & Pick<ProcessConfig, 'SHARD'>): string[] => [
  config.SHARD,
  ...config.CELLS.map((cell) => cell.shard),
]

/** Connects a global service to the brokers of its own cell and of the others. */
export async function connectBrokers(
  config: Parameters<typeof cellBrokerSettings>[0],
  options: { name: ServiceName; log: Log },
): Promise<{ bus: Bus; cells: Bus[] }> {
  const [bus, ...cells] = await Promise.all([
    connectBus({ ...brokerSettings(config), ...options }),
    ...cellBrokerSettings(config).map((broker) => connectBus({ ...broker, ...options })),
  ])
  return { bus, cells }
}
