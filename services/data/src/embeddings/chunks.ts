import { createHash } from 'node:crypto'

/** A part of a record that is embedded on its own. */
export interface Chunk {
  /** The text to embed: the title and a part of the text. */
  input: string
  /** Position of the part in the text, in characters (code points). */
  start: number
  length: number
}

/** Words per chunk: about the text length that embedding models are trained on. */
const maxWords = 250
/** A longer sentence is not repeated at the start of the next chunk. */
const maxOverlapWords = 60
const maxChunks = 64
const maxTitleLength = 300
/** In scripts without spaces between words, this many characters count as one word. */
const charactersPerWord = 6

/** Further text cannot become part of a chunk, in characters. */
export const maxTextLength = maxChunks * maxWords * charactersPerWord

/** A part of the text that is not split further, in UTF-16 code units. */
interface Piece {
  from: number
  to: number
  words: number
}

/**
 * Splits a record into chunks of whole sentences. Each chunk repeats the last sentence of the previous one for context.
 * A record without text has one chunk, its title.
 */
export function splitIntoChunks(title: string | null, text: string | null): Chunk[] {
  const heading = (title ?? '').trim().slice(0, maxTitleLength).toWellFormed()
  const pieces = text === null ? [] : [...splitIntoPieces(text)]
  if (pieces.length === 0) return heading === '' ? [] : [{ input: heading, start: 0, length: 0 }]
  const toCodePoints = createCodePointIndex(text ?? '')
  return groupPieces(pieces).map(({ from, to }) => {
    const part = (text ?? '').slice(from, to)
    const start = toCodePoints(from)
    return { input: heading === '' ? part : `${heading}\n\n${part}`, start, length: toCodePoints(to) - start }
  })
}

/** Identifies the embedding of a chunk: equal texts in the same space have equal embeddings. 16 bytes. */
export const chunkHash = (space: string, { input }: Chunk): Buffer =>
  createHash('sha256').update(`${space}\n${input}`).digest().subarray(0, 16)

function groupPieces(pieces: readonly Piece[]): { from: number; to: number }[] {
  const groups: Piece[][] = [[]]
  let words = 0
  for (const piece of pieces) {
    const group = groups.at(-1) ?? []
    const last = group.at(-1)
    if (last !== undefined && words + piece.words > maxWords) {
      if (groups.length === maxChunks) break
      const overlap = last.words <= maxOverlapWords && last.words + piece.words <= maxWords ? [last] : []
      groups.push([...overlap, piece])
      words = piece.words + (overlap[0]?.words ?? 0)
    } else {
      group.push(piece)
      words += piece.words
    }
  }
  return groups.map((group) => ({ from: group[0]?.from ?? 0, to: group.at(-1)?.to ?? 0 }))
}

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' })
const followingCharacters = `.{0,${maxWords * charactersPerWord - 1}}`
/** As many characters as a chunk may have, preferably up to a space. */
const maximalPiece = new RegExp(`\\S${followingCharacters}(?=\\s|$)|\\S${followingCharacters}`, 'gsu')

/** Splits a text into trimmed sentences, and sentences longer than a chunk into parts. */
function* splitIntoPieces(text: string): Generator<Piece> {
  for (const { segment, index } of sentences.segment(text)) {
    const sentence = segment.trimEnd()
    const parts = sentence.matchAll(countWords(sentence) <= maxWords ? /\S.*/gs : maximalPiece)
    for (const { 0: part, index: offset } of parts) {
      const from = index + offset
      const words = countWords(part)
      if (words <= maxWords) yield { from, to: from + part.length, words }
      else yield* splitInHalf(part, from)
    }
  }
}

/** Splits a part with too many words at a space near its middle. */
function* splitInHalf(part: string, from: number): Generator<Piece> {
  const space = part.indexOf(' ', part.length >> 1)
  const cut = space < 0 ? part.lastIndexOf(' ') : space
  if (cut <= 0) return yield { from, to: from + part.length, words: maxWords }
  for (const [half, start] of [
    [part.slice(0, cut), from],
    [part.slice(cut + 1), from + cut + 1],
  ] as const) {
    if (countWords(half) > maxWords) yield* splitInHalf(half, start)
    else if (half.trim() !== '') yield { from: start, to: start + half.length, words: countWords(half) }
  }
}

const countWords = (text: string): number => {
  let words = 0
  for (const _ of text.matchAll(/\S+/g)) words++
  return Math.max(words, Math.ceil(text.length / charactersPerWord))
}

/** Returns a function that converts positions in code units to positions in code points, which PostgreSQL counts. */
function createCodePointIndex(text: string): (codeUnit: number) => number {
  const surrogatePairs: number[] = []
  for (const { index } of text.matchAll(/[\ud800-\udbff][\udc00-\udfff]/g)) surrogatePairs.push(index)
  return (codeUnit) =>
    codeUnit - (surrogatePairs.length === 0 ? 0 : surrogatePairs.findLastIndex((index) => index < codeUnit) + 1)
}
