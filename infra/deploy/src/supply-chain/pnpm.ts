import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '../../../..')

/** Runs the pinned pnpm in the root folder. Returns its exit code and everything that it prints. */
export function runPnpm(args: readonly string[]): { code: number; output: string } {
  const { packageManager }: { packageManager: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const { status, stdout, stderr } = spawnSync('npx', ['-y', packageManager, ...args], { cwd: root, encoding: 'utf8' })
  return { code: status ?? 1, output: `${stderr}${stdout}` }
}
