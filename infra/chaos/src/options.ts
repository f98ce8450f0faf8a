import { randomInt } from 'node:crypto'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { faults } from './faults/index.ts'
import { mutants } from './mutants.ts'

export interface ChaosOptions {
  seed: number
  /** The number of creations during each fault. */
  operations: number
  /** The faults to try; none means all. */
  names: readonly string[]
  mutant: string | undefined
  /** Write the results to docs/chaos.md. */
  isRecorded: boolean
  /** A checkout of the previous release with its dependencies and generated clients. */
  previous: string | undefined
}

/** Workspaces may have 100 integrations, of which these operations create fewer. */
const maxOperations = 1_000

export const usage = `usage: npm run chaos -- [options]
  --seed <n>           repeats the decisions of a run; default: random
  --operations <n>     creations during each fault, 60 to ${maxOperations}; default 400
  --fault <name>       only this fault; can be repeated: ${faults.map(({ name }) => name).join(', ')}
  --mutant <name>      plants a defect in the histories, which must be reported: ${Object.keys(mutants).join(', ')}
  --previous <folder>  a checkout of the previous release, with dependencies, to run beside this one
  --record             writes the results to docs/chaos.md`

/** @throws Error naming the option that is wrong */
export function readOptions(args: string[]): ChaosOptions {
  const { values } = parseArgs({
    args,
    options: {
      seed: { type: 'string' },
      operations: { type: 'string', default: '400' },
      fault: { type: 'string', multiple: true, default: [] },
      mutant: { type: 'string' },
      previous: { type: 'string' },
      record: { type: 'boolean', default: false },
    },
  })
  for (const name of values.fault)
    if (!faults.some((fault) => fault.name === name)) throw new Error(`--fault: there is no fault ${name}`)
  if (values.mutant !== undefined && !(values.mutant in mutants))
    throw new Error(`--mutant: there is no mutant ${values.mutant}`)
  if (values.mutant !== undefined && values.record) throw new Error('--record: results with a mutant are not recorded')
  return {
    seed: values.seed === undefined ? randomInt(1_000_000) : readNumber('--seed', values.seed, 0, 2 ** 31),
    operations: readNumber('--operations', values.operations, 60, maxOperations),
    names: values.fault,
    mutant: values.mutant,
    isRecorded: values.record,
    previous: values.previous === undefined ? undefined : resolve(process.env.INIT_CWD ?? '.', values.previous),
  }
}

function readNumber(name: string, text: string, least: number, most: number): number {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (!(number >= least && number <= most)) throw new Error(`${name} must be a number from ${least} to ${most}`)
  return number
}
