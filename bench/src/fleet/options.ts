import { optionValue } from '../harness/options.ts'

export const partNames = ['mix', 'operations', 'ramp', 'growth'] as const
export type PartName = (typeof partNames)[number]

export interface FleetOptions {
  parts: readonly PartName[]
  /** Of each measurement except the steps of the ramp. */
  seconds: number
  /** Requests per second, except of the ramp. */
  rate: number
  /** Workspaces of the mix and the ramp, each with `records` records. */
  workspaces: number
  records: number
  /** The 99th percentile in milliseconds up to which a rate counts as sustained. */
  limitMs: number
  stepSeconds: number
  startRate: number
  maxRate: number
  /** The largest number of workspaces, of records of one source, and of subscriptions of a workspace, of the growth. */
  growth: { workspaces: number; records: number; subscriptions: number }
  seed: number
  /** The process whose functions are to be reported. */
  profiled: string | undefined
  /** Report the statements that took most time of PostgreSQL during the mix. */
  withStatements: boolean
}

/** @throws Error naming the option that is wrong */
export function readOptions(options: readonly string[]): FleetOptions {
  const parts = partNames.filter((name) => options.includes(name))
  const number = (name: string, initial: number, most: number): number => {
    const value = Number(optionValue(options, name) ?? initial)
    if (!Number.isInteger(value) || value < 1 || value > most)
      throw new Error(`${name} must be a whole number from 1 to ${most}`)
    return value
  }
  return {
    parts: parts.length > 0 ? parts : partNames,
    seconds: number('--seconds', 20, 60),
    rate: number('--rate', 25, 1_000),
    workspaces: number('--workspaces', 100, 1_000),
    records: number('--records', 1_000, 10_000),
    limitMs: number('--limit-ms', 1_000, 10_000),
    stepSeconds: number('--step-seconds', 8, 60),
    startRate: number('--start-rate', 10, 1_000),
    maxRate: number('--max-rate', 1_000, 5_000),
    growth: {
      workspaces: number('--grow-workspaces', 10_000, 100_000),
      records: number('--grow-records', 100_000, 1_000_000),
      subscriptions: number('--grow-subscriptions', 100, 150),
    },
    seed: number('--seed', 1, 2 ** 31),
    profiled: optionValue(options, '--profile'),
    withStatements: options.includes('--statements'),
  }
}
