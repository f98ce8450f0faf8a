import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** One core for the proxies, the other for everything else. @returns false on a machine that has no `taskset` */
export const pinTo = (core: number, pid: number | undefined): boolean =>
  spawnSync('taskset', ['-acp', String(core), String(pid)]).status === 0

/** What a process has used of the processor so far: less noisy than time where others share the machine. */
export function cpuMicroseconds(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  const ticks = Number(fields[11]) + Number(fields[12])
  return ticks * 10_000
}

export function memoryOf(pid: number | undefined): string {
  const ps = spawnSync('ps', ['-o', 'rss=', '-p', String(pid)])
  return `${Math.round(Number(String(ps.stdout).trim()) / 1024)} MiB`
}

/** What of the edge's heap is in use, as it says itself. */
export async function heapOf(adminUrl: string): Promise<string> {
  const metrics = await (await fetch(`${adminUrl}/metrics`)).text()
  const bytes = /^nodejs_heap_size_used_bytes(?:\{[^}]*\})? (\d+)/m.exec(metrics)?.[1]
  return `${Math.round(Number(bytes) / 1_048_576)} MiB`
}
