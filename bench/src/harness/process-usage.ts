import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** A process of the fleet or of the load. */
export interface MeteredProcess {
  name: string
  pid: number
  /** Its child processes count as a part of it. */
  withChildren?: true
}

/** The use of the processors between two calls. */
export interface MeterReading {
  seconds: number
  /**
   * Milliseconds of processor time, and the proportional set size: shared memory counts in parts, so that the sum over
   * processes is what they use together.
   */
  processes: { name: string; cpuMs: number; pssMiB: number }[]
  /** Processor time of all other processes of the machine, in milliseconds. */
  otherCpuMs: number
}

const msPerTick = 10

/** Returns the process, which must have started. */
export function meteredProcess(name: string, { pid }: { readonly pid?: number | undefined }): MeteredProcess {
  if (pid === undefined) throw new Error(`${name} has no process of its own`)
  return { name, pid }
}

/** Pins a process to one core. @returns false if the machine has no `taskset` */
export const pinTo = (core: number, pid: number): boolean =>
  spawnSync('taskset', ['-acp', String(core), String(pid)]).status === 0

/** Returns the resident memory of a process in MiB, now or at most so far, or 0 if it does not run. */
export function residentMib(pid: number, field: 'VmRSS' | 'VmHWM' = 'VmRSS'): number {
  const [, kib = 0] = new RegExp(`${field}:\\s+(\\d+)`).exec(readIfRunning(`/proc/${pid}/status`)) ?? []
  return Math.round(Number(kib) / 1_024)
}

/**
 * Returns the milliseconds of processor time for one of several requests. On a machine with other load they vary less
 * than elapsed time.
 */
export const cpuPerRequest = ({ processes }: MeterReading, name: string, requests: number): number =>
  processes.reduce((sum, process) => sum + (process.name === name ? process.cpuMs : 0), 0) / requests

/** Starts to measure. @returns a function that returns the use since then */
export function startMeter(processes: readonly MeteredProcess[]): () => MeterReading {
  const startedAt = performance.now()
  const before = processes.map(cpuTicks)
  const machineBefore = busyTicksOfMachine()
  return () => {
    const usage = processes.map((process, index) => ({
      name: process.name,
      cpuMs: (cpuTicks(process) - (before[index] ?? 0)) * msPerTick,
      pssMiB: pidsOf(process).reduce((sum, pid) => sum + pssKib(pid), 0) / 1_024,
    }))
    const allMs = (busyTicksOfMachine() - machineBefore) * msPerTick
    return {
      seconds: (performance.now() - startedAt) / 1_000,
      processes: usage,
      otherCpuMs: Math.max(0, allMs - usage.reduce((sum, { cpuMs }) => sum + cpuMs, 0)),
    }
  }
}

/** Returns the processor time of a process and, if they count, of its running and ended child processes. */
function cpuTicks(process: MeteredProcess): number {
  return pidsOf(process).reduce((sum, pid) => {
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = readIfRunning(`/proc/${pid}/stat`)
      .replace(/^.*\) /s, '')
      .split(' ')
      .slice(11, 15)
      .map(Number)
    const ended = process.withChildren && pid === process.pid ? endedUser + endedSystem : 0
    return sum + user + system + ended
  }, 0)
}

function pidsOf({ pid, withChildren }: MeteredProcess): number[] {
  if (!withChildren) return [pid]
  const children = readIfRunning(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number)
  return [pid, ...children]
}

const pssKib = (pid: number): number =>
  Number(/^Pss: +(\d+)/m.exec(readIfRunning(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0)

/** Returns the ticks in which a processor was busy, of all processors, since the start of the machine. */
function busyTicksOfMachine(): number {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
  const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0] = line.split(/ +/).slice(1).map(Number)
  return user + nice + system + irq + softIrq
}

/** A process may end between the listing and the reading. */
function readIfRunning(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
