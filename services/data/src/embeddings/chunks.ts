import { createHash } from 'node:crypto'

/** A part of a record that is embedded by itself. */
export interface Chunk {
  /** What is embedded: the title, and the part of the text. */
  input: string
  /** Where the part stands in the text, in characters (code points). */
  start: number
  length: number
}

/** Words of a chunk; models were trained on texts of about this length, and one thought fits in. */
const maxWords = 250
/** A sentence that is longer is not said again at the beginning of the next chunk. */
const maxOverlapWords = 60
const maxChunks = 64
const maxTitleLength = 300
/** Where words are not parted by spaces, so many characters count as one. */
const charactersPerWord = 6

/** Of a longer text this much is read, in characters. */
export const maxTextLength = maxChunks * maxWords * charactersPerWord

/** A piece of the text that is not parted, in UTF-16 code units. */
interface Piece {
  from: number
  to: number
  size: number
}

/**
 * Parts a record into chunks of whole sentences; each begins with the last sentence of the one before, so that what
 * refers back is understood. A record without text is its title.
 */
export function splitIntoChunks(title: string | null, text: string | null): Chunk[] {
  const heading = (title ?? '').trim().slice(0, maxTitleLength).toWellFormed()
  const pieces = text === null ? [] : [...splitIntoPieces(text)]
  if (pieces.length === 0) return heading === '' ? [] : [{ input: heading, start: 0, length: 0 }]
  const place = createCodePointIndex(text ?? '')
  return groupPieces(pieces).map(({ from, to }) => {
    const part = (text ?? '').slice(from, to)
    const start = place(from)
    return { input: heading === '' ? part : `${heading}\n\n${part}`, start, length: place(to) - start }
  })
}

/** What a chunk's embedding is known by: the same text in the same space has the same. */
export const chunkHash = (space: string, { input }: Chunk): Buffer =>
  createHash('sha256').update(`${space}\n${input}`).digest().subarray(0, 16)

function groupPieces(pieces: readonly Piece[]): { from: number; to: number }[] {
  const groups: Piece[][] = [[]]
  let size = 0
  for (const piece of pieces) {
    const group = groups.at(-1) ?? []
    const last = group.at(-1)
    if (last !== undefined && size + piece.size > maxWords) {
      if (groups.length === maxChunks) break
      const overlap = last.size <= maxOverlapWords && last.size + piece.size <= maxWords ? [last] : []
      groups.push([...overlap, piece])
      size = piece.size + (overlap[0]?.size ?? 0)
    } else {
      group.push(piece)
      size += piece.size
    }
  }
  return groups.map((group) => ({ from: group[0]?.from ?? 0, to: group.at(-1)?.to ?? 0 }))
}

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' })
const further = `.{0,${maxWords * charactersPerWord - 1}}`
const maximalPiece = new RegExp(`\\S${further}(?=\\s|$)|\\S${further}`, 'gsu')

/** Sentences, without what is around them; of one that is too long, parts. */
function* splitIntoPieces(text: string): Generator<Piece> {
  for (const { segment, index } of sentences.segment(text)) {
    const sentence = segment.trimEnd()
    const size = countWords(sentence)
    const parts = size <= maxWords ? [...sentence.matchAll(/\S.*/gs)] : [...sentence.matchAll(maximalPiece)]
    for (const { 0: part, index: at } of parts) {
      const from = index + at
      yield* countWords(part) <= maxWords
        ? [{ from, to: from + part.length, size: countWords(part) }]
        : splitInHalf(part, from)
    }
  }
}

/** Of many short words fewer characters make a chunk. */
function* splitInHalf(part: string, from: number): Generator<Piece> {
  const space = part.indexOf(' ', part.length >> 1)
  const cut = space < 0 ? part.lastIndexOf(' ') : space
  if (cut <= 0) return yield { from, to: from + part.length, size: maxWords }
  for (const [piece, at] of [
    [part.slice(0, cut), from],
    [part.slice(cut + 1), from + cut + 1],
  ] as const) {
    if (countWords(piece) > maxWords) yield* splitInHalf(piece, at)
    else if (piece.trim() !== '') yield { from: at, to: at + piece.length, size: countWords(piece) }
  }
}

const countWords = (text: string): number => {
  let words = 0
  for (const _ of text.matchAll(/\S+/g)) words++
  return Math.max(words, Math.ceil(text.length / charactersPerWord))
}

/** Turns places in code units into those in characters, as PostgreSQL counts them. */
function createCodePointIndex(text: string): (unit: number) => number {
  const pairs: number[] = []
  for (const { index } of text.matchAll(/[\ud800-\udbff][\udc00-\udfff]/g)) pairs.push(index)
  return (unit) => unit - (pairs.length === 0 ? 0 : pairs.findLastIndex((index) => index < unit) + 1)
}
