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
 * Creates a reader of the documents of a ranking, best first. The first `k` are selected at once; only if more are
 * read, the others become a heap, from which each further document costs a logarithm, so that no call takes long.
 */
export function createTopKReader({ documents, scores, best = [] }: Ranking, k: number): DocumentReader {
  const selected = best.length < Math.min(k, documents.length) ? selectTopK(documents, scores, k) : best
  let at = 0
  let readRest: DocumentReader | undefined
  return (count) => {
    const next = selected.slice(at, at + count)
    at += next.length
    if (next.length === count || selected.length === documents.length) return next
    const last = selected.at(-1)
    readRest ??= createHeapReader(
      last === undefined ? documents.slice() : documents.filter((document) => ranksBefore(scores, last, document)),
      scores,
    )
    return [...next, ...readRest(count - next.length)]
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

/** Creates a reader that takes the best document from a heap again and again. @param heap is reordered */
function createHeapReader(heap: Uint32Array, scores: Float64Array): DocumentReader {
  const isAbove = (a: number, b: number) => ranksBefore(scores, a, b)
  let size = heap.length
  for (let at = (size >> 1) - 1; at >= 0; at--) siftDown(heap, size, at, isAbove)
  return (count) => {
    const next: number[] = []
    while (next.length < count && size > 0) {
      next.push(heap[0] ?? 0)
      size--
      heap[0] = heap[size] ?? 0
      siftDown(heap, size, 0, isAbove)
    }
    return next
  }
}

/** Returns documents in the order of their scores. */
export const sortByScore = (documents: readonly number[], scores: Float64Array): number[] =>
  documents.toSorted((a, b) => (ranksBefore(scores, a, b) ? -1 : 1))

/** Returns the best `k` documents, sorted. Uses a binary heap with the worst of them at the root. */
function selectTopK(documents: Uint32Array, scores: Float64Array, k: number): number[] {
  const heap: number[] = []
  const isAbove = (a: number, b: number) => ranksBefore(scores, b, a)
  let worst = Number.NEGATIVE_INFINITY
  for (let at = 0; at < documents.length; at++) {
    // Both exist: documents are indexes of `scores`.
    const document = documents[at] as number
    if ((scores[document] as number) < worst) continue
    if (heap.length < k) {
      heap.push(document)
      siftUp(heap, isAbove)
    } else if (ranksBefore(scores, document, heap[0] ?? 0)) {
      heap[0] = document
      siftDown(heap, heap.length, 0, isAbove)
    }
    if (heap.length === k) worst = scores[heap[0] ?? 0] ?? 0
  }
  return sortByScore(heap, scores)
}

/** Returns true if the first document belongs nearer to the root of the heap. */
type IsAbove = (a: number, b: number) => boolean

function siftUp(heap: number[], isAbove: IsAbove): void {
  for (let at = heap.length - 1; at > 0; ) {
    const parentAt = (at - 1) >> 1
    const [child, parent] = [heap[at] ?? 0, heap[parentAt] ?? 0]
    if (!isAbove(child, parent)) return
    heap[at] = parent
    heap[parentAt] = child
    at = parentAt
  }
}

function siftDown(heap: { [at: number]: number }, size: number, from: number, isAbove: IsAbove): void {
  for (let at = from; ; ) {
    let topAt = at
    for (let childAt = 2 * at + 1; childAt <= 2 * at + 2 && childAt < size; childAt++)
      if (isAbove(heap[childAt] ?? 0, heap[topAt] ?? 0)) topAt = childAt
    if (topAt === at) return
    const [parent, child] = [heap[at] ?? 0, heap[topAt] ?? 0]
    heap[at] = child
    heap[topAt] = parent
    at = topAt
  }
}
