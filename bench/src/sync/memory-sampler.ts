import { readFileSync } from 'node:fs'

/** Largest and last resident size of a process since it was last asked, in MiB; empty where there is no /proc. */
export function sampleMemory(pid: number | undefined) {
  let [peak, last] = [0, 0]
  const timer = setInterval(() => {
    try {
      last = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
      peak = Math.max(peak, last)
    } catch {
      // the process is gone, or there is no /proc
    }
  }, 100)
  return {
    take() {
      const taken = { 'peak MiB': Math.round(peak), 'last MiB': Math.round(last) }
      peak = 0
      return taken
    },
    stop: () => clearInterval(timer),
  }
}
