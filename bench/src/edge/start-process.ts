import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'

/**
 * Runs a file of this folder in a process that ends with this one at the latest.
 *
 * @param env its environment, besides PATH
 */
export function startProcess(file: string, env: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, [join(import.meta.dirname, file)], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  process.once('exit', () => child.kill('SIGKILL'))
  return child
}
