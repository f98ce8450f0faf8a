/** The share of a run in the threads. */
export interface RunLoad {
  workspaceId: string
  /** Threads that work on it. */
  busyThreads: number
  /** True if a series waits for a thread. */
  hasWaiting: boolean
}

/**
 * Picks the run that gets the next free thread: of the workspace with the fewest threads, of equals the one served
 * least recently; in a workspace the run with the fewest threads, of equals the oldest. So a run of 500 series uses
 * every thread while it is alone, and half of them as soon as another workspace has a run.
 * @param runs oldest first
 * @param turns when each workspace was last served; a higher number is later
 */
export function pickRun<Run extends RunLoad>(
  runs: readonly Run[],
  turns: ReadonlyMap<string, number>,
): Run | undefined {
  const threads = new Map<string, number>()
  for (const { workspaceId, busyThreads } of runs)
    threads.set(workspaceId, (threads.get(workspaceId) ?? 0) + busyThreads)
  const order = (run: Run): [number, number, number] => [
    threads.get(run.workspaceId) ?? 0,
    turns.get(run.workspaceId) ?? 0,
    run.busyThreads,
  ]
  return runs
    .filter(({ hasWaiting }) => hasWaiting)
    .map((run) => ({ run, order: order(run) }))
    .sort((a, b) => compare(a.order, b.order))[0]?.run
}

function compare(a: readonly number[], b: readonly number[]): number {
  const different = a.findIndex((value, index) => value !== b[index])
  return different < 0 ? 0 : (a[different] ?? 0) - (b[different] ?? 0)
}
