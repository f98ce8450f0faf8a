// `npm run fuzz -- [options]` sends generated requests to a fleet: single ones, and sequences of two workspaces. Exits
// with 1 if a response is not what the contract promises; the output has the seed, by which the run can be repeated.
import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const usage = `usage: npm run fuzz -- [options]
  --runs <n>   number of sequences, 1 to 100000; default 200; single requests are 25 times as many
  --seed <n>   repeats a run; default: random`

const root = join(import.meta.dirname, '../..')
const requestsPerSequence = 25

function run(args: string[]): number {
  const { values } = parseArgs({
    args,
    options: { runs: { type: 'string', default: '200' }, seed: { type: 'string' } },
  })
  const runs = readNumber('--runs', values.runs, 1, 100_000)
  const seed = values.seed === undefined ? randomInt(2 ** 31) : readNumber('--seed', values.seed, 0, 2 ** 31 - 1)
  process.stdout.write(`seed ${seed}, ${runs} sequences, ${runs * requestsPerSequence} single requests\n`)
  const jest = join(root, 'node_modules/jest/bin/jest.js')
  const { status } = spawnSync(process.execPath, [jest, '--runInBand', 'gateway/test/fuzz'], {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      WP_FUZZ_SEED: `${seed}`,
      WP_FUZZ_SEQUENCES: `${runs}`,
      WP_FUZZ_RUNS: `${runs * requestsPerSequence}`,
    },
  })
  return status ?? 1
}

function readNumber(name: string, text: string, least: number, most: number): number {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (!(number >= least && number <= most)) throw new Error(`${name} must be a number from ${least} to ${most}`)
  return number
}

try {
  process.exitCode = run(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n${usage}\n`)
  process.exitCode = 1
}
