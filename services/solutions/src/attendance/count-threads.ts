import { createThreadPool, type ThreadPool } from '../worker-thread.ts'
import type { countStaleWeek, WeekInput } from './count-stale-week.ts'

/** Threads that count weeks, so that requests of other workspaces do not wait for a count. */
export type CountThreads = ThreadPool<WeekInput, ReturnType<typeof countStaleWeek>>

/** A week of 3 million badge events, 50,000 people and 2,000 spaces uses about half of this memory. */
const maxHeapMib = 768

export const createCountThreads = (): CountThreads =>
  createThreadPool(new URL('./count-worker.ts', import.meta.url), { maxHeapMib })
