import type { Ranking } from './bm25-ranking.ts'

/** Whether one document comes before another: by score, then by number, so that the order is always the same. */
const ranksBefore = (scores: Float64Array, one: number, other: number): boolean => {
  const first = scores[one] ?? 0
  const second = scores[other] ?? 0
  return first > second || (first === second && one < other)
}

/** Answers the next so many, fewer where there are no more. */
export type DocumentReader = (many: number) => number[]

/** The documents of a ranking, best first. Only as many as are usually needed are sorted at once. */
export function createTopKReader({ documents, scores }: Ranking, firstMany: number): DocumentReader {
  let sorted: ArrayLike<number> & { slice(from: number, to: number): Iterable<number> } = selectTopK(
    documents,
    scores,
    firstMany,
  )
  let at = 0
  return (many) => {
    if (at + many > sorted.length && sorted.length < documents.length)
      sorted = documents.slice().sort((one, other) => (ranksBefore(scores, one, other) ? -1 : 1))
    const next = [...sorted.slice(at, at + many)]
    at += next.length
    return next
  }
}

/** The same of documents that are in order already. */
export function createListReader(documents: readonly number[]): DocumentReader {
  let at = 0
  return (many) => {
    const next = documents.slice(at, at + many)
    at += next.length
    return next
  }
}

/** The best few, sorted; a heap whose root is the worst of them. */
function selectTopK(documents: Uint32Array, scores: Float64Array, many: number): number[] {
  const heap: number[] = []
  let worst = Number.NEGATIVE_INFINITY
  for (let at = 0; at < documents.length; at++) {
    // Both are there: documents are numbers of scores.
    const document = documents[at] as number
    if ((scores[document] as number) < worst) continue
    if (heap.length < many) {
      heap.push(document)
      siftUp(heap, scores)
    } else if (ranksBefore(scores, document, heap[0] ?? 0)) {
      heap[0] = document
      siftDown(heap, scores)
    }
    if (heap.length === many) worst = scores[heap[0] ?? 0] ?? 0
  }
  return heap.sort((one, other) => (ranksBefore(scores, one, other) ? -1 : 1))
}

function siftUp(heap: number[], scores: Float64Array): void {
  for (let at = heap.length - 1; at > 0; ) {
    const parent = (at - 1) >> 1
    const [child, above] = [heap[at] ?? 0, heap[parent] ?? 0]
    if (!ranksBefore(scores, above, child)) return
    heap[at] = above
    heap[parent] = child
    at = parent
  }
}

function siftDown(heap: number[], scores: Float64Array): void {
  for (let at = 0; ; ) {
    let worst = at
    for (const child of [2 * at + 1, 2 * at + 2])
      if (child < heap.length && ranksBefore(scores, heap[worst] ?? 0, heap[child] ?? 0)) worst = child
    if (worst === at) return
    const [one, other] = [heap[at] ?? 0, heap[worst] ?? 0]
    heap[at] = other
    heap[worst] = one
    at = worst
  }
}
