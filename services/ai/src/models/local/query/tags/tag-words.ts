import { createWordComparison } from '../../language/vocabulary.ts'
import { isFunctionWord, type Language, type Word, wordsOf, wordsOfName } from '../../language/words.ts'
import type { KnownSource } from '../../tool-results.ts'
import { coreOf } from '../core-name.ts'
import { participle } from '../grammar.ts'
import { minHeadLength } from './source-names.ts'
import { type KnownValue, letterOf, type Tag } from './tag.ts'
import { type Candidate, createTagger, type Span } from './tag-candidates.ts'

const maxSpan = 6

/** Replaces words by tags, the longest names first. Returns text in lower case with a space around each word. */
export function tagWords(
  asked: readonly Word[],
  source: KnownSource,
  values: readonly KnownValue[],
  language: Language,
): { text: string; tags: Tag[] } {
  const isSameWord = createWordComparison(language)
  const words = asked
    .flatMap((word) => withoutPrefix(word, source, values))
    .flatMap((word) => (language === 'de' ? partsOf(word, { source, values, isSameWord }) : [word]))
  const candidates = spansOf(words)
    .flatMap(
      createTagger(source, values, {
        language,
        isDid: asked.some(({ plain }) => /^(?:do|does|did)$/.test(plain)),
        isWho: asked.some(({ plain }) => /^(?:who|wer)$/.test(plain)),
      }),
    )
    .toSorted((a, b) => b.length - a.length || a.rank - b.rank || a.start - b.start)
  const chosen: Candidate[] = []
  for (const candidate of candidates)
    if (chosen.every((other) => endOf(candidate) <= other.start || endOf(other) <= candidate.start))
      chosen.push(candidate)
  const tags: Tag[] = []
  const parts: string[] = []
  const isPartOfName = createNamePartTest(source, language)
  const untagged = (at: number): string[] => {
    const { plain = '' } = words[at] ?? {}
    // `Parking fees` of parking sessions
    const isOfNumber = chosen.some((tag) => tag.letter === 'N' && (tag.start === at + 1 || endOf(tag) === at))
    // `Breached the SLA` of a column `SLA breached`
    const isOfFlag = chosen.some(
      ({ letter, options: [only, other] }) =>
        letter === 'B' &&
        other === undefined &&
        !isFunctionWord(plain) &&
        wordsOfName(only?.field ?? '').some((word) => word.plain === plain),
    )
    return [isOfFlag || (isOfNumber && isPartOfName(plain)) ? '·' : plain]
  }
  for (let at = 0; at < words.length; at++) {
    const tag = chosen.find(({ start }) => start === at)
    if (tag === undefined) parts.push(...untagged(at))
    else {
      const { letter, options, isExact } = tag
      const text = words.slice(at, endOf(tag)).map((word) => word.text)
      parts.push(`${letter}${tags.push({ letter, text: text.join(' '), options, isExact }) - 1}`)
      at = endOf(tag) - 1
    }
  }
  return { text: ` ${parts.join(' ')} `, tags }
}

/** Returns the value and the column of a compound: `Strom` and `Verbrauch` of `Stromverbrauch`. */
function partsOf(
  word: Word,
  { source, values, isSameWord }: { source: KnownSource; values: readonly KnownValue[]; isSameWord: WordComparison },
): Word[] {
  const columns = source.fields.flatMap(({ name }) => coreOf(name).core.slice(-1))
  if (values.some(({ value }) => value.toLowerCase() === word.text.toLowerCase())) return [word]
  const parts = values.flatMap(({ value }) => {
    const [first, other] = wordsOf(value)
    if (first === undefined || other !== undefined || !/^\p{L}{3,}$/u.test(first.plain)) return []
    if (!word.plain.startsWith(first.plain)) return []
    const end = word.plain.slice(first.plain.length).replace(/^s(?=\p{L}{5})/u, '')
    return columns.some(({ plain }) => end.length > 3 && isSameWord(plain, end))
      ? [[first, { text: end, plain: end }]]
      : []
  })
  return parts[0] ?? [word]
}
type WordComparison = ReturnType<typeof createWordComparison>

/** Returns `without paid` for `unpaid`, where a column says what is paid and no value says `unpaid`. */
function withoutPrefix(word: Word, { fields }: KnownSource, values: readonly KnownValue[]): Word[] {
  const [, stated = ''] = /^un(\p{L}{4,})$/u.exec(word.plain) ?? []
  const isFlag = fields.some(
    ({ name, type }) =>
      (letterOf(name, type, values) === 'B' || participle.test(stated)) &&
      coreOf(name).core.length === 1 &&
      coreOf(name).core[0]?.plain === stated,
  )
  if (!isFlag || values.some(({ value }) => value.toLowerCase() === word.plain)) return [word]
  return [
    { text: 'without', plain: 'without' },
    { text: stated, plain: stated },
  ]
}

/** Returns a function that tells if a word is one of the name of a source, but not the last, which is what it has. */
function createNamePartTest(source: KnownSource, language: Language): (word: string) => boolean {
  const isSameWord = createWordComparison(language)
  const parts = wordsOfName(source.name).slice(0, -1)
  const compound = wordsOfName(source.name).at(-1)?.plain ?? ''
  return (word) =>
    parts.some(({ plain }) => isSameWord(plain, word)) ||
    (word.length >= minHeadLength - 1 && word !== compound && compound.startsWith(word))
}

const endOf = ({ start, length }: Candidate): number => start + length

const spansOf = (words: readonly Word[]): Span[] =>
  words.flatMap((_word, start) =>
    Array.from({ length: Math.min(maxSpan, words.length - start) }, (_, more) => ({
      start,
      words: words.slice(start, start + more + 1),
      before: words[start - 1],
    })),
  )
