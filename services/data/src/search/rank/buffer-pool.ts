/** Reusable arrays for scoring the documents of a workspace. */
export interface ScoreBuffers {
  /** Returns an array of zeros. Invalidates the array returned before. */
  scores(size: number): Float64Array
  /** Returns an array with undefined contents. Invalidates the array returned before. */
  lengths(size: number): Uint16Array
}

/** Pools score buffers: allocating megabytes for each search costs more than the search. */
export interface BufferPool {
  /** Runs `work` with buffers of its own. */
  with<T>(work: (buffers: ScoreBuffers) => Promise<T>): Promise<T>
}

/** At most 4 buffers stay allocated, of at most 1,000,000 documents (10 MB) each. */
const [maxPooled, maxPooledDocuments] = [4, 1_000_000]

export function createBufferPool(): BufferPool {
  const idle: ScoreBuffers[] = []
  return {
    async with(work) {
      const buffers = idle.pop() ?? createScoreBuffers()
      try {
        return await work(buffers)
      } finally {
        if (idle.length < maxPooled) idle.push(buffers)
      }
    },
  }
}

export function createScoreBuffers(): ScoreBuffers {
  let scores = new Float64Array(0)
  let lengths = new Uint16Array(0)
  return {
    scores(size) {
      if (size > maxPooledDocuments) return new Float64Array(size)
      if (scores.length < size) scores = new Float64Array(size)
      return scores.subarray(0, size).fill(0)
    },
    lengths(size) {
      if (size > maxPooledDocuments) return new Uint16Array(size)
      if (lengths.length < size) lengths = new Uint16Array(size)
      return lengths.subarray(0, size)
    },
  }
}
