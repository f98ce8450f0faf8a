import { markEnd, markStart } from '../../../store/search/text/highlight-marks.ts'
import { isUnspaced, replaceVariants, toUsualForm } from '../../../store/search/text/unspaced-text.ts'
import { extractWords, normalizeText } from '../../rank/proximity-boost.ts'
import type { ParsedQuery } from '../input/parse-query.ts'

/** The words of a query that are marked in texts without spaces, in which the search engines recognize no words. */
export interface MarkedWords {
  /** Words that are written without spaces; they are marked anywhere. */
  unspacedWords: readonly string[]
  /** Other words; they are marked as whole words. */
  forms: readonly string[]
}

export const markedWordsOf = ({ unspacedWords, parts }: ParsedQuery): MarkedWords => ({
  unspacedWords,
  forms: extractWords(parts.join(' ')),
})

interface Span {
  start: number
  end: number
}

/** Length of a snippet, and of the part before its first mark, in UTF-16 code units. */
const [snippetLength, leadLength] = [200, 40]

/**
 * Returns the part of a text around the first word, with marks around the words.
 * @returns null if the text has none of the words, or is written with spaces
 */
export function markSnippet(text: string, words: MarkedWords): string | null {
  const clean = withoutMarks(text)
  const spans = findWords(clean, words)
  const [first] = spans ?? []
  if (spans === null || first === undefined) return null
  const start = alignStart(clean, Math.max(0, Math.min(first.start - leadLength, clean.length - snippetLength)))
  const end = alignStart(clean, Math.min(clean.length, start + Math.max(snippetLength, first.end - start)))
  return insertMarks(clean, spans, { start, end })
}

/** Returns a whole text with marks around the words; null if it has none of them, or is written with spaces. */
export function markText(text: string, words: MarkedWords): string | null {
  const clean = withoutMarks(text)
  const spans = findWords(clean, words)
  return spans && insertMarks(clean, spans, { start: 0, end: clean.length })
}

const withoutMarks = (text: string): string => text.replaceAll(/[\ue000-\ue008]/g, '')

/** Returns where words are, in order and apart from each other. */
function findWords(text: string, { unspacedWords, forms }: MarkedWords): Span[] | null {
  if (!isUnspaced(text)) return null
  const folded = foldText(text)
  const unspaced = unspacedWords.flatMap((word) => findAll(folded, word.toLowerCase()))
  const known = new Set(forms.map(normalizeText))
  const whole = [...text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)]
    .filter(([form]) => known.has(normalizeText(form)))
    .map(({ 0: form, index }) => ({ start: index, end: index + form.length }))
  const spans = mergeSpans([...unspaced, ...whole])
  return spans.length === 0 ? null : spans
}

/** A text with usual characters in lower case, and where each of them is in the original. */
interface FoldedText {
  text: string
  /** Undefined if all characters are where they are in the original. */
  origins: readonly Span[] | undefined
}

function foldText(text: string): FoldedText {
  const simple = text.toLowerCase()
  if (replaceVariants(text) === text && simple.length === text.length && toUsualForm(text) === text)
    return { text: simple, origins: undefined }
  const origins: Span[] = []
  let folded = ''
  for (const { 0: unit, index } of text.matchAll(/.[\p{M}\uff9e\uff9f]*/gsu)) {
    const part = toUsualForm(unit).toLowerCase()
    folded += part
    for (let nth = 0; nth < part.length; nth++) origins.push({ start: index, end: index + unit.length })
  }
  return { text: folded, origins }
}

/** More occurrences would hardly be within the snippet. */
const maxOccurrences = 200

function findAll({ text, origins }: FoldedText, word: string): Span[] {
  const found: Span[] = []
  for (
    let at = text.indexOf(word);
    at >= 0 && found.length < maxOccurrences;
    at = text.indexOf(word, at + word.length)
  ) {
    const last = at + word.length - 1
    found.push(
      origins === undefined
        ? { start: at, end: last + 1 }
        : { start: origins[at]?.start ?? 0, end: origins[last]?.end ?? 0 },
    )
  }
  return found
}

function mergeSpans(spans: readonly Span[]): Span[] {
  const merged: Span[] = []
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1)
    if (last !== undefined && span.start <= last.end) last.end = Math.max(last.end, span.end)
    else merged.push({ ...span })
  }
  return merged
}

function insertMarks(text: string, spans: readonly Span[], range: Span): string {
  let [marked, at] = ['', range.start]
  for (const { start, end } of spans) {
    if (start < range.start || end > range.end) continue
    marked += `${text.slice(at, start)}${markStart}${text.slice(start, end)}${markEnd}`
    at = end
  }
  return marked + text.slice(at, range.end)
}

/** Moves a position out of the middle of a character. */
const alignStart = (text: string, at: number): number => (/[\udc00-\udfff]/.test(text[at] ?? '') ? at - 1 : at)
