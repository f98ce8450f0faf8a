import { withDigits } from '../language/normalize-question.ts'
import { areRelated, hasWord, textKeysOf } from '../language/vocabulary.ts'
import { fold, isFunctionWord, stemOf, type Word, wordsOf } from '../language/words.ts'
import type { KnownRecord } from '../tool-results.ts'
import { type Section, splitText } from './split-text.ts'

/** A passage of a record, and the words of the question that neither it nor its headings have. */
export interface Passage {
  text: string
  marker: string
  missing: string[]
  /** Passages of other records that answer as well, with other numbers or the opposite. */
  others: { text: string; marker: string }[]
}

/** Words that say nothing about the subject of a question. */
const genericWords = new Set(
  'know need want happen happens use make bring take put go come keep long often lang tun amount far old much many does what lange oft gibt heisst passiert benotige brauche braucht mitbringen bringen nehmen gehen kommen machen mache mitnehmen hoch case fall'.split(
    ' ',
  ),
)

/** Returns the words that a passage must have. */
export const contentWords = (words: readonly Word[]): string[] => [
  ...new Set(
    words
      .filter(({ text, plain }) => !genericWords.has(plain) && (!isFunctionWord(text) || /^\p{Lu}{2,}$/u.test(text)))
      .map(({ plain }) => plain),
  ),
]

/** Rows with more fields are records of a table: a note of one is no answer to a question about them. */
const maxFields = 5
const maxSentences = 3
const maxShortLength = 80

/** Returns the passage that has the most words of the question; undefined if there is none with any. */
export function findPassage(question: readonly Word[], records: readonly KnownRecord[]): Passage | undefined {
  const words = contentWords(question)
  const wanted = numberWanted(question)
  const related = new Set(
    words.filter((word) => words.some((other) => stemOf(other) !== stemOf(word) && areRelated(word, other))),
  )
  const windows = records
    .filter(({ data }) => Object.values(data).filter((value) => !isProse(value) && value !== null).length <= maxFields)
    .flatMap((record) =>
      sectionsOf(record).flatMap((section) => windowsOf(section).map((text) => ({ record, section, text }))),
    )
    .map(({ record, section, text }) => {
      const [body, context] = [keysOf([text]), keysOf(section.headings)]
      // `Laptops or phones`: one related word of the text cannot stand for both.
      const isApart = (word: string) => related.has(word) && !body.has(stemOf(word)) && !context.has(stemOf(word))
      const inBody = words.filter((word) => hasWord(body, word) && !isApart(word))
      const missing = words.filter((word) => !inBody.includes(word) && (isApart(word) || !hasWord(context, word)))
      // Where the heading is the question, all of what follows is the answer.
      const isHeaded = words.every((word) => hasWord(context, word))
      const isWhole = isHeaded && text === section.sentences.slice(0, maxSentences).join(' ')
      const lacksNumber = wanted !== undefined && !wanted(text)
      return {
        text,
        marker: record.marker,
        missing,
        lacksNumber,
        inBody: inBody.length,
        isWhole,
        exact: exactWords(words, text),
      }
    })
    .filter(({ missing }) => missing.length < words.length)
  const sorted = windows.toSorted(
    (a, b) =>
      a.missing.length - b.missing.length ||
      Number(a.lacksNumber) - Number(b.lacksNumber) ||
      Number(b.isWhole) - Number(a.isWhole) ||
      b.inBody - a.inBody ||
      b.exact - a.exact ||
      a.text.length - b.text.length,
  )
  const [best] = sorted
  if (best === undefined) return undefined
  const { text, marker, missing, lacksNumber } = best
  return {
    text,
    marker,
    missing: missing.length === 0 && lacksNumber ? [askedNumber(question)] : missing,
    others: isComplete(best) ? opposedTo(best, sorted).slice(0, maxSentences) : [],
  }
}

interface RatedText {
  text: string
  marker: string
  missing: string[]
  /** True if the question asks for a number that the text does not have. */
  lacksNumber: boolean
  inBody: number
}

const isComplete = ({ missing, lacksNumber }: RatedText): boolean => missing.length === 0 && !lacksNumber

/** Returns the texts of other records that answer as well and say something else, one of each record. */
function opposedTo(best: RatedText, sorted: readonly RatedText[]): RatedText[] {
  const rivals = sorted.filter((other) => isComplete(other) && other.inBody >= best.inBody)
  return rivals.filter(
    ({ marker, text }, at) =>
      marker !== best.marker &&
      rivals.findIndex((earlier) => earlier.marker === marker) === at &&
      isOpposed(best.text, text),
  )
}

const negation = /(?<!\p{L})(?:not|no|never|only|nicht|kein\p{L}*|nie|nur)(?!\p{L})/iu

/** Returns true for texts with other numbers, or of which one negates or restricts. */
function isOpposed(one: string, other: string): boolean {
  const numbersIn = (text: string) => (withDigits(text).match(/\d[\d.,:]*(?<=\d)/g) ?? []).toSorted().join(' ')
  return numbersIn(one) !== numbersIn(other) || negation.test(one) !== negation.test(other)
}

const exactWords = (words: readonly string[], text: string): number => {
  const stems = new Set(wordsOf(text).map(({ text: word }) => stemOf(word)))
  return words.filter((word) => stems.has(stemOf(word))).length
}

const keysOf = (texts: readonly string[]): Set<string> =>
  new Set(wordsOf(withDigits(texts.join(' '))).flatMap(({ text }) => textKeysOf(text)))

/** Returns the prose of a record by paragraph. Its title and short fields are headings of all. */
function sectionsOf({ title = '', data }: KnownRecord): Section[] {
  const values = Object.values(data).filter((value) => typeof value === 'string')
  const prose = values.filter((value) => isProse(value) && !isQuestion(value))
  const context = [title, ...values.filter((value) => !prose.includes(value))]
  return prose.flatMap(splitText).map(({ headings, sentences }) => ({ headings: [...context, ...headings], sentences }))
}

const isProse = (value: unknown): boolean =>
  typeof value === 'string' && (value.length > maxShortLength || /\S+ \S+ \S+ \S+.*[.!?]$/s.test(value))
const isQuestion = (value: string): boolean => value.trim().endsWith('?') && value.length <= 2 * maxShortLength

const windowsOf = ({ sentences }: Section): string[] =>
  sentences.flatMap((_sentence, start) =>
    Array.from({ length: Math.min(maxSentences, sentences.length - start) }, (_, length) =>
      sentences.slice(start, start + length + 1).join(' '),
    ),
  )

const numberWord = String.raw`(?:\d[\d.,:]*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|once|twice|daily|weekly|monthly|yearly|annually|every|each|half|ein|eine[nmrs]?|zwei|drei|vier|funf|sechs|sieben|acht|neun|zehn|elf|zwolf|\p{L}+mal|jede[nmrs]?|taglich|wochentlich|monatlich|jahrlich)`

/** Returns the test that a passage passes if it has the number that `how many days` or `how long` asks for. */
function numberWanted(question: readonly Word[]): ((text: string) => boolean) | undefined {
  const plain = question.map((word) => word.plain).join(' ')
  const [, counted] = /\b(?:how many|wie ?viele)\s+(\p{L}+)/u.exec(plain) ?? []
  if (counted !== undefined)
    return (text) => {
      const words = wordsOf(text)
      return words.some(
        (word, at) =>
          new RegExp(`^${numberWord}$`, 'u').test(word.plain) &&
          words.slice(at + 1, at + 4).some((next) => hasWord(new Set(textKeysOf(next.text)), counted)),
      )
    }
  if (!/\b(?:how (?:much|long|often)|wie (?:viel|lange?|oft|hoch)|(?:which|what) amount)\b/.test(plain))
    return undefined
  return (text) => new RegExp(`(?<![\\p{L}\\d])${numberWord}(?![\\p{L}])`, 'iu').test(fold(text))
}

const askedNumber = (question: readonly Word[]): string =>
  /\b(?:how \w+(?: \w+)?|wie ?\w+(?: \w+)?)/.exec(question.map(({ plain }) => plain).join(' '))?.[0] ?? ''
