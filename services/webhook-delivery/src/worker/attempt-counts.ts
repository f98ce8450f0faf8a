/** Counts what the recorder of this process has recorded, but not counted yet. */
export interface AttemptCounts {
  /** Resolves when all recorded attempts are counted, or cannot be because the database is unavailable. */
  flush(): Promise<void>
  /** Sets the function by which the recorder counts. */
  connect(count: () => Promise<void>): void
}

/** Creates the counts of a process, without a recorder. Who reads statistics flushes them first. */
export function createAttemptCounts(): AttemptCounts {
  let count = () => Promise.resolve()
  return {
    flush: () => count(),
    connect(countRecorded) {
      count = countRecorded
    },
  }
}
