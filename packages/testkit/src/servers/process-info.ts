import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

/** What runs under a process id, or nothing. `/proc` first, since slim images have no `ps`. */
export function readProcessInfo(pid: number): { parent: number; command: string } | undefined {
  try {
    if (existsSync('/proc/self/stat')) {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
      // The name in parentheses may hold spaces and parentheses itself: the fields are counted behind the last one.
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
