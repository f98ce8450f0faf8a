import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../../..')
const requestsPerSequence = 25

/**
 * Sends generated requests to a fleet: single ones, and sequences of two workspaces.
 *
 * @param runs the number of sequences
 * @returns false if a response is not what the contract promises
 */
export function fuzz({ runs, seed }: { runs: number; seed: number }): boolean {
  const requests = runs * requestsPerSequence
  process.stdout.write(`seed ${seed}, ${runs} sequences, ${requests} single requests\n`)
  const jest = join(root, 'node_modules/jest/bin/jest.js')
  const { status } = spawnSync(process.execPath, [jest, '--runInBand', 'gateway/test/fuzz'], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, WP_FUZZ_SEED: `${seed}`, WP_FUZZ_SEQUENCES: `${runs}`, WP_FUZZ_RUNS: `${requests}` },
  })
  return status === 0
}
