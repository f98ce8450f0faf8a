import { createThreadPool, type ThreadPool } from '../worker-thread.ts'
import type { ScenarioInput } from './scenario-input.ts'
import type { ScenarioResult } from './scenario-job.ts'

/** Threads that solve scenarios. They answer null if no places were found in time. */
export type ScenarioThreads = ThreadPool<ScenarioInput, ScenarioResult | null>

/** Beside the heap, the solver has memory of its own: 500 MB for 200 teams on 30 floors. */
const maxHeapMib = 512

export const createScenarioThreads = (): ScenarioThreads =>
  createThreadPool(new URL('./scenario-worker.ts', import.meta.url), { maxHeapMib })
