import { problem } from '@wp/contracts'
import { FairSemaphore, SemaphoreTimeout } from '@wp/runtime'

/** Admits searches: limits how many run at once, in turns by workspace, and how long each may take. */
export interface SearchAdmission {
  /**
   * Runs a search when it is admitted.
   * @param signal aborted when the client disconnects
   * @param run gets a signal that also ends the search at its deadline
   * @throws Problem `search_timeout` at the deadline; the reason of `signal`; what `run` throws
   */
  admit<T>(workspaceId: string, signal: AbortSignal, run: (signal: AbortSignal) => Promise<T>): Promise<T>
}

interface Options {
  /** Maximum number of searches running at once; of one workspace a quarter of it, but at least 1. */
  concurrency: number
  /** Limit from the start of the wait to the last hit. */
  timeoutMs: number
}

export function createSearchAdmission({ concurrency, timeoutMs }: Options): SearchAdmission {
  const maxPerKey = Math.max(1, Math.floor(concurrency / 4))
  const semaphore = new FairSemaphore({ size: concurrency, maxPerKey, maxWaitMs: timeoutMs })
  return {
    async admit(workspaceId, clientSignal, run) {
      const deadline = new AbortController()
      let isAdmitted = false
      const timer = setTimeout(() => deadline.abort(timeoutProblem(timeoutMs, isAdmitted)), timeoutMs)
      const signal = AbortSignal.any([clientSignal, deadline.signal])
      try {
        const release = await semaphore.acquire(workspaceId, signal)
        isAdmitted = true
        try {
          return await run(signal)
        } finally {
          release()
        }
      } catch (error) {
        throw error instanceof SemaphoreTimeout ? timeoutProblem(timeoutMs, false) : error
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

function timeoutProblem(timeoutMs: number, isAdmitted: boolean) {
  const detail = isAdmitted
    ? `The search did not end within ${timeoutMs} ms; use fewer words and phrases, or name \`data_source_ids\``
    : `Too many searches of the workspace were running for ${timeoutMs} ms; send fewer at a time`
  return problem('search_timeout', { detail, headers: { 'retry-after': '1' } })
}
