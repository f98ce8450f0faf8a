import type { Ranking } from './bm25-ranking.ts'

/** Compares by descending score, then by document number, so that the order is total. */
const ranksBefore = (scores: Float64Array, a: number, b: number): boolean => {
  const scoreA = scores[a] ?? 0
  const scoreB = scores[b] ?? 0
  return scoreA > scoreB || (scoreA === scoreB && a < b)
}

/** Returns the next `count` documents, fewer at the end. */
export type DocumentReader = (count: number) => number[]

/**
 * Creates a reader of the documents of a ranking, best first. The first `k` are selected with a heap; all documents are
 * sorted only if more are read.
 */
export function createTopKReader({ documents, scores }: Ranking, k: number): DocumentReader {
  let sorted: ArrayLike<number> & { slice(from: number, to: number): Iterable<number> } = selectTopK(
    documents,
    scores,
    k,
  )
  let at = 0
  return (count) => {
    if (at + count > sorted.length && sorted.length < documents.length)
      sorted = documents.slice().sort((a, b) => (ranksBefore(scores, a, b) ? -1 : 1))
    const next = [...sorted.slice(at, at + count)]
    at += next.length
    return next
  }
}

/** Creates a reader of documents that are already in order. */
export function createListReader(documents: readonly number[]): DocumentReader {
  let at = 0
  return (count) => {
    const next = documents.slice(at, at + count)
    at += next.length
    return next
  }
}

/** Returns the best `k` documents, sorted. Uses a binary heap with the worst of them at the root. */
function selectTopK(documents: Uint32Array, scores: Float64Array, k: number): number[] {
  const heap: number[] = []
  let worst = Number.NEGATIVE_INFINITY
  for (let at = 0; at < documents.length; at++) {
    // Both exist: documents are indexes of `scores`.
    const document = documents[at] as number
    if ((scores[document] as number) < worst) continue
    if (heap.length < k) {
      heap.push(document)
      siftUp(heap, scores)
    } else if (ranksBefore(scores, document, heap[0] ?? 0)) {
      heap[0] = document
      siftDown(heap, scores)
    }
    if (heap.length === k) worst = scores[heap[0] ?? 0] ?? 0
  }
  return heap.sort((a, b) => (ranksBefore(scores, a, b) ? -1 : 1))
}

function siftUp(heap: number[], scores: Float64Array): void {
  for (let at = heap.length - 1; at > 0; ) {
    const parentAt = (at - 1) >> 1
    const [child, parent] = [heap[at] ?? 0, heap[parentAt] ?? 0]
    if (!ranksBefore(scores, parent, child)) return
    heap[at] = parent
    heap[parentAt] = child
    at = parentAt
  }
}

function siftDown(heap: number[], scores: Float64Array): void {
  for (let at = 0; ; ) {
    let worst = at
    for (const childAt of [2 * at + 1, 2 * at + 2])
      if (childAt < heap.length && ranksBefore(scores, heap[worst] ?? 0, heap[childAt] ?? 0)) worst = childAt
    if (worst === at) return
    const [parent, child] = [heap[at] ?? 0, heap[worst] ?? 0]
    heap[at] = child
    heap[worst] = parent
    at = worst
  }
}
