import { type ServiceName, services } from '@wp/contracts'
import { z } from 'zod'
import { brokerSettings, type ProcessConfig, readConfig } from './config.ts'

const cells = z.string().transform((value, context) => {
  const given = value
    .split(';')
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '')
    .map((cell) => /^([a-z0-9]{1,16})=(\S+)$/.exec(cell)?.slice(1))
  const known = given
    .filter((cell) => cell !== undefined)
    .map(([name = '', servers = '']) => ({ shard: name, servers }))
  if (known.length < given.length || new Set(known.map((cell) => cell.shard)).size < known.length)
    context.addIssue({ code: 'custom', message: 'must be shard=address of its broker; …, each shard once' })
  return known
})

/** What a process is told that serves all shards: the edge and the global services. */
export const cellsConfig = {
  /**
   * The cells beside its own and their brokers: `two=nats://nats.two:4222;three=nats://a:4222,nats://b:4222`. What
   * happens in a workspace is told in its own cell.
   */
  CELLS: cells.prefault(''),
}

const settings = z.object(cellsConfig)

/** Of which shards a service serves workspaces: its own, or, where it is global, all that it was told of. */
export function servedShards(
  service: ServiceName,
  config: ProcessConfig,
  env: Parameters<typeof readConfig>[1],
): string[] {
  return services[service].isGlobal ? allShards({ ...config, ...readConfig(settings, env) }) : [config.SHARD]
}

/** How the brokers of the other cells are reached, as @wp/events takes it; everything but the address is as at home. */
export const cellBrokerSettings = (config: z.output<typeof settings> & Parameters<typeof brokerSettings>[0]) =>
  config.CELLS.map((cell) => ({ ...brokerSettings(config), ...cell }))

/** Every shard there is, its own first. */
export const allShards = (config: z.output<typeof settings> & Pick<ProcessConfig, 'SHARD'>): string[] => [
  config.SHARD,
  ...config.CELLS.map((cell) => cell.shard),
]
