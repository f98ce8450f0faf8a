import { Worker } from 'node:worker_threads'
import type { countStaleWeek, WeekInput } from './count-stale-week.ts'

type CountedRows = ReturnType<typeof countStaleWeek>

/** The memory of a thread: a week of 3 million badge events, 50,000 people and 2,000 spaces uses about half of it. */
const maxHeapMib = 768

/** A thread that counts weeks, so that requests of other workspaces do not wait for a count. */
export interface CountThread {
  /** Counts one week at a time. Rejects with the reason of the abort, or with what ended the thread. */
  count(input: WeekInput): Promise<CountedRows>
  close(): Promise<void>
}

/** Starts a thread for the weeks of one workspace. @param signal ends it at once, also within a week */
export function startCountThread(signal: AbortSignal): CountThread {
  const worker = new Worker(new URL('./count-worker.ts', import.meta.url), {
    // The thread must not inherit flags of the process, such as an inspector port.
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMib },
  })
  const ended = Promise.withResolvers<never>()
  ended.promise.catch(() => {})
  worker.on('error', ended.reject)
  worker.on('exit', (code) => ended.reject(new Error(`a count thread exited with code ${code} without a result`)))
  const abort = () => {
    ended.reject(signal.reason)
    void worker.terminate()
  }
  signal.addEventListener('abort', abort, { once: true })
  return {
    count(input) {
      const counted = new Promise<CountedRows>((resolve) => worker.once('message', resolve))
      worker.postMessage(input)
      return Promise.race([counted, ended.promise])
    },
    async close() {
      signal.removeEventListener('abort', abort)
      await worker.terminate()
    },
  }
}
