import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'

/** Starts a file of this folder as a process of its own, with nothing in its environment but what is given. */
export function startProcess(file: string, env: Record<string, string>): ChildProcess {
  return spawn(process.execPath, [join(import.meta.dirname, file)], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}
