import { readFileSync } from 'node:fs'

/** Samples the resident memory of a process. */
export interface MemorySampler {
  /** Returns the largest value since the last call, and the current one. */
  take(): { 'peak MiB': number; 'last MiB': number }
  stop(): void
}

export function sampleMemory(pid: number | undefined): MemorySampler {
  let [peak, last] = [0, 0]
  const timer = setInterval(() => {
    try {
      last = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
      peak = Math.max(peak, last)
    } catch {
      // the process has ended, or the system has no /proc
    }
  }, 100)
  return {
    take() {
      const sample = { 'peak MiB': Math.round(peak), 'last MiB': Math.round(last) }
      peak = 0
      return sample
    },
    stop: () => clearInterval(timer),
  }
}
