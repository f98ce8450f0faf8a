/** Room to score all documents of a workspace in. */
export interface ScoreBuffers {
  /** As many scores, all 0. What was asked for before is no longer to be used. */
  scores(size: number): Float64Array
  /** As many lengths, of which any value may stand there. */
  lengths(size: number): Uint16Array
}

/** Room that is kept: to have megabytes anew for each search costs more than to search. */
export interface BufferPool {
  /** Room for the time of some work, which nobody else has meanwhile. */
  with<T>(work: (room: ScoreBuffers) => Promise<T>): Promise<T>
}

/** As many searches as have room kept for them, and documents of the largest, which then take 10 MB. */
const [maxPooled, maxPooledDocuments] = [4, 1_000_000]

export function createBufferPool(): BufferPool {
  const kept: ScoreBuffers[] = []
  return {
    async with(work) {
      const room = kept.pop() ?? createScoreBuffers()
      try {
        return await work(room)
      } finally {
        if (kept.length < maxPooled) kept.push(room)
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
