import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Pins a process to one core. @returns false if the machine has no `taskset` */
export const pinTo = (core: number, pid: number | undefined): boolean =>
  spawnSync('taskset', ['-acp', String(core), String(pid)]).status === 0

/**
 * Returns the processor time that a process has used, in microseconds. On a machine with other load it varies less than
 * elapsed time.
 */
export function cpuMicroseconds(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  const ticks = Number(fields[11]) + Number(fields[12])
  return ticks * 10_000
}

/** Returns the resident memory of a process. */
export const memoryOf = (pid: number | undefined): string => `${Math.round(residentBytes(pid) / 1_048_576)} MiB`

/** Returns the resident memory of a process in bytes. */
export function residentBytes(pid: number | undefined): number {
  const ps = spawnSync('ps', ['-o', 'rss=', '-p', String(pid)])
  return Number(String(ps.stdout).trim()) * 1_024
}

/** Returns the used heap of a gateway, from its metrics. */
export async function heapOf(adminUrl: string): Promise<string> {
  const metrics = await (await fetch(`${adminUrl}/metrics`)).text()
  const bytes = /^nodejs_heap_size_used_bytes(?:\{[^}]*\})? (\d+)/m.exec(metrics)?.[1]
  return `${Math.round(Number(bytes) / 1_048_576)} MiB`
}
