import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

/**
 * Returns the parent and the command of a process, or undefined. Uses `/proc` if possible; slim images have no `ps`.
 */
export function readProcessInfo(pid: number): { parent: number; command: string } | undefined {
  try {
    if (existsSync('/proc/self/stat')) {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
      // The name in parentheses may contain spaces and parentheses, so the fields are read after the last one.
      const [state, parent] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
      return state === 'Z' ? undefined : { parent: Number(parent), command }
    }
    const line = execFileSync('ps', ['-o', 'ppid=,command=', '-p', String(pid)], { encoding: 'utf8' }).trim()
    const [parent, ...command] = line.split(/\s+/)
    return { parent: Number(parent), command: command.join(' ') }
  } catch {
    return undefined
  }
}
