import type { Postings } from '../../../store/search/postings.ts'
import { createMergeBuffers, isUsable, type MergeBuffers } from './merge-postings.ts'

/**
 * Reusable arrays for scoring the documents of a workspace. A call invalidates what the same method returned before.
 */
export interface ScoreBuffers {
  /** Returns an array of zeros. */
  scores(size: number): Float64Array
  /** Returns an array with undefined contents. */
  lengths(size: number): Uint16Array
  /** Returns an array with undefined contents, for document numbers. */
  documents(size: number): Uint32Array
  /** Returns buffers for merging up to `lists` posting lists of documents whose numbers are less than `size`. */
  merge(size: number, lists: number): MergeBuffers
  /** Returns an array with undefined contents. Those returned before stay valid until `releasePostings` is called. */
  postings(length: number): Postings
  releasePostings(): void
}

/**
 * Pools score buffers. Allocating megabytes for each search costs more than the search, and as the memory is outside of
 * the heap, it makes the garbage collector mark the whole heap several times a second.
 */
export interface BufferPool {
  /** Runs `work` with buffers of its own. */
  with<T>(work: (buffers: ScoreBuffers) => Promise<T>): Promise<T>
}

/** At most 4 buffers stay allocated, of at most 1,000,000 documents (26 MB) and 8 MB of postings each. */
const [maxPooled, maxPooledDocuments, maxPooledPostingWords] = [4, 1_000_000, 2_000_000]

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
  const scores = reuse((size) => new Float64Array(size))
  const postings = createPostingsArena()
  let merge = createMergeBuffers(0)
  return {
    scores: (size) => scores(size).fill(0),
    lengths: reuse((size) => new Uint16Array(size)),
    documents: reuse((size) => new Uint32Array(size)),
    merge(size, lists) {
      if (size > maxPooledDocuments) return createMergeBuffers(size)
      if (merge.seenInList.length < size || !isUsable(merge, lists)) merge = createMergeBuffers(size)
      return merge
    },
    postings: postings.take,
    releasePostings: postings.release,
  }
}

interface Resizable<Self> {
  readonly length: number
  subarray(start: number, end: number): Self
}

/** Returns a function that gives the beginning of one array, which is replaced when it is too small. */
function reuse<Numbers extends Resizable<Numbers>>(create: (size: number) => Numbers): (size: number) => Numbers {
  let array = create(0)
  return (size) => {
    if (size > maxPooledDocuments) return create(size)
    if (array.length < size) array = create(size)
    return array.subarray(0, size)
  }
}

/** Gives consecutive parts of one array, which grows up to a limit. Larger postings get arrays of their own. */
function createPostingsArena() {
  let arena = new Uint32Array(0)
  let used = 0
  return {
    take(length: number): Postings {
      if (length > maxPooledPostingWords) return new Uint32Array(length)
      if (used + length > arena.length) {
        // The parts that were given keep the former array.
        arena = new Uint32Array(Math.max(length, Math.min(2 * arena.length, maxPooledPostingWords)))
        used = 0
      }
      used += length
      return arena.subarray(used - length, used)
    },
    release() {
      used = 0
    },
  }
}
