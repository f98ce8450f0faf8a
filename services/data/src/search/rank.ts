import { inverseFrequency, saturation } from './bm25.ts'
import { postingBytes } from './postings.ts'

/** The index of one source as a search sees it. Its documents are numbered from `base` on, those of all indexes through. */
export interface SearchedIndex {
  indexId: number
  base: number
  /** Of numbers given so far. */
  size: number
  /** Whether its documents may be answered; all of them count for the statistics. */
  isWanted: boolean
  configuration: string
}

/** What is looked for: a document matches with any of the lexemes, which count as one word. */
export interface Term {
  lexemes: readonly string[]
  /** The configurations the lexemes come of; indexes of others are left out. */
  configurations: ReadonlySet<string>
  weight: number
}

/** Postings of one lexeme in one index, the newest segment first; see `postings.ts`. */
export type PostingsOf = (indexId: number, lexeme: string) => readonly Buffer[]

export interface Ranking {
  /** The documents that match, in no order. */
  documents: Uint32Array
  /** The score of each document, by its number. */
  scores: Float64Array
}

/** Scores every document that holds one of the terms by BM25. */
export function rank(
  terms: readonly Term[],
  indexes: readonly SearchedIndex[],
  postingsOf: PostingsOf,
  { documents, length }: { documents: number; length: number },
): Ranking {
  const size = indexes.reduce((end, index) => Math.max(end, index.base + index.size), 0)
  const scores = new Float64Array(size)
  const matched: number[] = []
  const gather = createGatherer(size)
  const meanLength = length / Math.max(1, documents)
  for (const term of terms) {
    const found = gather(term, indexes, postingsOf)
    const weight = term.weight * inverseFrequency(documents, found.total)
    for (let at = 0; at < found.count; at++) {
      // Within `count` all three are written.
      const document = found.documents[at] as number
      const score = weight * saturation(found.occurrences[at] as number, (found.lengths[at] as number) / meanLength)
      if (scores[document] === 0) matched.push(document)
      scores[document] = (scores[document] as number) + score
    }
  }
  return { documents: Uint32Array.from(matched), scores }
}

interface Found {
  documents: Uint32Array
  occurrences: Uint32Array
  lengths: Uint32Array
  /** How many of the arrays' places are filled: wanted documents. */
  count: number
  /** Documents the term stands in, wanted or not. */
  total: number
}

/**
 * Reads the postings of a term. What a later segment says of a document stands for what an earlier one did: the newest
 * is read first, each from its end, and of every document only the first posting counts.
 */
function createGatherer(size: number) {
  /** The last reading that met the document. */
  const met = new Uint32Array(size)
  /** Where the document lies among what was found for the term, if `owner` says that it does. */
  const places = new Uint32Array(size)
  const owner = new Uint32Array(size)
  let readings = 0
  let terms = 0

  return (term: Term, indexes: readonly SearchedIndex[], postingsOf: PostingsOf): Found => {
    terms++
    const read = indexes
      .filter(({ configuration }) => term.configurations.has(configuration))
      .flatMap((index) => term.lexemes.map((lexeme) => ({ index, blocks: postingsOf(index.indexId, lexeme) })))
    const room =
      read.reduce((sum, { blocks }) => sum + blocks.reduce((bytes, block) => bytes + block.length, 0), 0) / postingBytes
    const [documents, occurrences, lengths] = [new Uint32Array(room), new Uint32Array(room), new Uint32Array(room)]
    let count = 0
    let total = 0
    for (const { index, blocks } of read) {
      readings++
      for (const block of blocks)
        for (let at = block.length - postingBytes; at >= 0; at -= postingBytes) {
          const number = block.readUInt32BE(at)
          if (number >= index.size) continue
          const document = index.base + number
          if (met[document] === readings) continue
          met[document] = readings
          const times = block.readUInt16BE(at + 4)
          if (times === 0) continue
          if (owner[document] === terms) {
            if (index.isWanted)
              occurrences[places[document] as number] = (occurrences[places[document] as number] as number) + times
            continue
          }
          owner[document] = terms
          total++
          if (!index.isWanted) continue
          places[document] = count
          documents[count] = document
          occurrences[count] = times
          lengths[count] = block.readUInt16BE(at + 6)
          count++
        }
    }
    return { documents, occurrences, lengths, count, total }
  }
}
