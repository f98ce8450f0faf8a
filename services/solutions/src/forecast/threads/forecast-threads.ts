import { availableParallelism } from 'node:os'
import { startWorkerThread, type WorkerThread } from '../../worker-thread.ts'
import { ForecastInputError } from '../errors.ts'
import { combineOptionsOf, nodesShare } from '../hierarchy/forecast-hierarchy.ts'
import { prepareHierarchy } from '../hierarchy/prepare.ts'
import type { HierarchyForecast, HierarchyInput } from '../hierarchy/shapes.ts'
import type { ForecastInput, ForecastOutput } from '../shapes.ts'
import { pickRun } from './pick-run.ts'
import { RunProgress } from './run-progress.ts'
import type { TaskOutput, ThreadTask } from './worker.ts'

export interface RunOptions {
  /** The workspaces with runs share the threads. */
  workspaceId: string
  /** Receives fractions from 0 to 1. */
  onProgress?: (fraction: number) => void
  /** Aborting ends the threads of the run at once, also within a series, and rejects with the signal's reason. */
  signal?: AbortSignal
}

/** Runs `forecast` and `forecastHierarchy` in worker threads, so that the event loop stays responsive. */
export interface ForecastThreads {
  /**
   * Forecasts each series in the next free thread. Rejects with an error of `forecast`, the reason of the abort, or the
   * error that ended a thread, such as exceeding its memory.
   */
  run(input: ForecastInput, options: RunOptions): Promise<ForecastOutput>
  /**
   * Forecasts each node of a hierarchy in the next free thread, then all together in one. Besides the errors of `run`,
   * rejects with those of `forecastHierarchy`. A hierarchy of 2,000 nodes takes some minutes and at most 1 GiB.
   */
  runHierarchy(input: HierarchyInput, options: RunOptions): Promise<HierarchyForecast>
  /** Ends all threads; runs in progress reject. */
  close(): Promise<void>
}

interface ActiveRun {
  workspaceId: string
  progress: RunProgress
  threads: Set<ForecastThread>
  onProgress: (fraction: number) => void
  resolve: (outputs: readonly TaskOutput[]) => void
  reject: (reason: unknown) => void
}

type ForecastThread = WorkerThread<ThreadTask, TaskOutput>

/** The memory of one thread; a series of a million points uses about half of it. */
const maxHeapMib = 512
const startThread = (): ForecastThread => startWorkerThread(new URL('./worker.ts', import.meta.url), { maxHeapMib })

const maxDefaultThreads = 4

/** One processor is left to the event loop. */
export const defaultThreadCount = (processors = availableParallelism()): number =>
  Math.min(maxDefaultThreads, Math.max(1, processors - 1))

/**
 * Creates the threads of a process, for all of its runs. A thread is started when a series needs one, and ended when
 * none waits: an idle process holds no memory for forecasts. Longer than most functions: its steps share the threads.
 */
export function createForecastThreads(threadCount = defaultThreadCount()): ForecastThreads {
  const runs = new Set<ActiveRun>()
  const idle = new Set<ForecastThread>()
  const turns = new Map<string, number>()
  let turn = 0
  let ending = 0

  const busyCount = (): number => [...runs].reduce((sum, { threads }) => sum + threads.size, 0)

  function dispatch(): void {
    while (idle.size > 0 || busyCount() + ending < threadCount) {
      const loads = [...runs].map((run) => ({
        run,
        workspaceId: run.workspaceId,
        busyThreads: run.threads.size,
        hasWaiting: run.progress.hasWaiting,
      }))
      const picked = pickRun(loads, turns)?.run
      if (picked === undefined) break
      turn += 1
      turns.set(picked.workspaceId, turn)
      assign(picked)
    }
    for (const thread of idle) end(thread)
    if (runs.size === 0) turns.clear()
  }

  function assign(run: ActiveRun): void {
    const [thread = startThread()] = idle
    idle.delete(thread)
    run.threads.add(thread)
    const { index, task } = run.progress.take()
    const finish = (output: TaskOutput) => {
      run.threads.delete(thread)
      if (!thread.isAlive) return
      idle.add(thread)
      if (output.kind === 'refused') return stop(run, new ForecastInputError(output.code, output.message))
      run.progress.finish(index, output)
      report(run, index, 1)
      if (run.progress.isFinished && runs.delete(run)) run.resolve(run.progress.outputs)
      dispatch()
    }
    const fail = (error: unknown) => {
      run.threads.delete(thread)
      stop(run, error)
    }
    void thread.run(task, undefined, (fraction) => report(run, index, fraction)).then(finish, fail)
  }

  function report(run: ActiveRun, index: number, fraction: number): void {
    try {
      if (runs.has(run)) run.onProgress(run.progress.advance(index, fraction))
    } catch (error) {
      stop(run, error)
    }
  }

  /** Ends a run with an error, and its threads, which are within a series. */
  function stop(run: ActiveRun, reason: unknown): void {
    if (!runs.delete(run)) return
    for (const thread of run.threads) end(thread)
    run.reject(reason)
    dispatch()
  }

  /** A thread counts until it has ended: two of one processor would share it. */
  function end(thread: ForecastThread): void {
    idle.delete(thread)
    ending += 1
    void thread.close().finally(() => {
      ending -= 1
      dispatch()
    })
  }

  async function perform(
    count: number,
    taskAt: (index: number) => ThreadTask,
    { workspaceId, onProgress = () => {}, signal }: RunOptions,
  ): Promise<readonly TaskOutput[]> {
    signal?.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<readonly TaskOutput[]>()
    const run = { workspaceId, progress: new RunProgress(count, taskAt), threads: new Set<ForecastThread>() }
    const active: ActiveRun = { ...run, onProgress, resolve, reject }
    const abort = (): void => stop(active, signal?.reason)
    signal?.addEventListener('abort', abort, { once: true })
    runs.add(active)
    dispatch()
    try {
      return await promise
    } finally {
      signal?.removeEventListener('abort', abort)
    }
  }

  return {
    async run(input, options) {
      const seriesAt = (index: number): ThreadTask => ({
        kind: 'series',
        input: { ...input, series: input.series.slice(index, index + 1) },
      })
      const outputs = await perform(input.series.length, seriesAt, options)
      const single = outputs.flatMap((output) => (output.kind === 'series' ? [output.output] : []))
      return {
        series: single.flatMap(({ series }) => series),
        histories: single.flatMap(({ histories }) => histories),
        profiles: single.flatMap(({ profiles }) => profiles),
      }
    },
    async runHierarchy(input, options) {
      const { onProgress = () => {} } = options
      const combine = combineOptionsOf(input)
      const prepared = prepareHierarchy(input)
      const nodeAt = (index: number): ThreadTask => {
        const task = prepared.tasks[index]
        if (task === undefined) throw new Error(`the hierarchy has no task ${index}`)
        return { kind: 'node', task }
      }
      const nodes = await perform(prepared.tasks.length, nodeAt, {
        ...options,
        onProgress: (fraction) => onProgress(nodesShare * fraction),
      })
      const results = nodes.flatMap((output) => (output.kind === 'node' ? [output.result] : []))
      const [combined] = await perform(1, () => ({ kind: 'hierarchy', prepared, results, options: combine }), {
        ...options,
        onProgress: (fraction) => onProgress(nodesShare + (1 - nodesShare) * fraction),
      })
      if (combined?.kind !== 'hierarchy') throw new Error('a forecast thread returned no hierarchy')
      return combined.forecast
    },
    async close() {
      const threads = [...idle, ...[...runs].flatMap((run) => [...run.threads])]
      for (const run of [...runs]) stop(run, new Error('the forecast threads were closed'))
      await Promise.all(threads.map((thread) => thread.close()))
    },
  }
}
