import { containsWord, coverageOf, meaningsIn, meaningsOfName } from './language/matching.ts'
import type { Question } from './language/question.ts'
import { meaningOf } from './language/vocabulary.ts'
import { fold, isFunctionWord, type Word } from './language/words.ts'
import type { KnownRecord } from './tool-results.ts'

/** A record must contain this share of the words of a question to answer it. */
const minCoverage = 0.7
/** A longer value is a text from which sentences are taken. */
const maxValueLength = 80
const maxSentences = 2

/** A record with how well it fits a question. */
export interface Candidate {
  record: KnownRecord
  coverage: number
}

/** Returns the records that fit the question, best first. */
export function rankRecords({ words }: Question, records: readonly KnownRecord[]): Candidate[] {
  const asked = words.filter(({ text }) => !isGeneric(text))
  return records
    .map((record, rank) => ({ record, rank, coverage: coverageOf(asked, meaningsOfRecord(record)) }))
    .filter(({ coverage }) => coverage >= minCoverage)
    .toSorted((a, b) => b.coverage - a.coverage || a.rank - b.rank)
}

/** Words that say nothing about the subject of a question. */
const isGeneric = (word: string): boolean => genericWords.has(fold(word))
const genericWords = new Set(
  [
    'know need want happen happens use make bring take put go come keep long often far old new name called',
    'lange oft gibt heisst passiert benotige brauche braucht mitbringen bringen nehmen gehen kommen',
  ]
    .join(' ')
    .split(' '),
)

/** Values, and names of fields that have a value. */
function meaningsOfRecord({ key, title = '', data }: KnownRecord): Set<string> {
  const filled = Object.entries(data).filter(([, value]) => value !== null && value !== '')
  return meaningsIn(
    [key, title, ...filled.map(([name, value]) => `${name.replaceAll('_', ' ')} ${textOf(value)}`)].join(' '),
  )
}

const textOf = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))

/** Returns the answer that a record gives: the field that the question asks for, or else its best sentences. */
export function answerFrom(question: Question, { record }: Candidate): string {
  const field = askedField(question, record)
  if (field !== undefined) {
    const asked = fieldText(field.name, field.value)
    const name = nameOf(record)
    if (name !== undefined) return `${name}: ${asked} ${record.marker}`
    const others = shortFields(record).filter((other) => other !== asked)
    return `${asked}${others.length === 0 ? '' : ` (${others.join(', ')})`} ${record.marker}`
  }
  const sentences = bestSentences(question, record)
  if (sentences.length > 0) return `${sentences.join(' ')} ${record.marker}`
  return `${describeRecord(record)} ${record.marker}`
}

/** Returns all short fields of a record as text. */
export const describeRecord = (record: KnownRecord): string => {
  const [name, fields] = [nameOf(record), shortFields(record).join(', ')]
  return name === undefined ? fields : `${name}: ${fields}`
}

/** The key of a record without a key of its own is a hash of its content, which says nothing to a person. */
const contentHash = /^[0-9a-f]{64}$/

const nameOf = ({ title, key }: KnownRecord): string | undefined => title ?? (contentHash.test(key) ? undefined : key)

const shortFields = ({ title, data }: KnownRecord): string[] =>
  Object.entries(data)
    .filter(([, value]) => isShort(value) && value !== title)
    .map(([name, value]) => fieldText(name, value))

const fieldText = (name: string, value: unknown): string => `${name.replaceAll('_', ' ')} ${textOf(value)}`

const isShort = (value: unknown): boolean =>
  value !== null && value !== '' && typeof value !== 'object' && String(value).length <= maxValueLength

/** Fields that answer a question word. */
const fieldsOfQuestionWords: [RegExp, string[]][] = [
  [/\b(who|whom|whose|wer|wem|wen|wessen)\b/, ['owner', 'contact', 'manager', 'responsible', 'person', 'author']],
  [/\b(where|wo)\b/, ['location', 'building', 'room', 'address', 'place', 'city', 'floor']],
  [/\b(when|wann)\b/, ['date', 'time', 'day']],
]

/** Returns the short field whose name the question mentions, if its other words are about the record. */
function askedField(
  { text, words }: Question,
  { title = '', data }: KnownRecord,
): { name: string; value: unknown } | undefined {
  const short = Object.entries(data).filter(([, value]) => isShort(value))
  const inTitle = meaningsIn(title)
  const score = (name: string) => {
    const meanings = meaningsOfName(name)
    const found = meanings.filter((meaning) =>
      words.some((word) => containsWord(new Set([meaning]), word) && !containsWord(inTitle, word)),
    )
    return meanings.length === 0 ? 0 : found.length / meanings.length
  }
  const [best] = short
    .map(([name, value]) => ({ name, value, score: score(name) }))
    .toSorted((a, b) => b.score - a.score)
  if (best !== undefined && best.score >= 0.5) return best
  const wanted = fieldsOfQuestionWords.find(([pattern]) => pattern.test(fold(text)))?.[1] ?? []
  for (const word of wanted) {
    const match = short.find(
      ([name]) => meaningsOfName(name).includes(meaningOf(word)) || meaningsOfName(name).includes(word),
    )
    if (match !== undefined) return { name: match[0], value: match[1] }
  }
  return undefined
}

/** Returns the sentences of the long texts of a record that have the most words of the question, in their order. */
function bestSentences({ words }: Question, { data }: KnownRecord): string[] {
  const texts = Object.values(data).filter(
    (value): value is string => typeof value === 'string' && value.length > maxValueLength,
  )
  const sentences = texts.flatMap(sentencesOf)
  const scored = sentences.map((sentence, position) => ({ sentence, position, score: overlap(words, sentence) }))
  const best = scored.toSorted((a, b) => b.score - a.score || a.position - b.position)
  const top = best[0]?.score ?? 0
  return best
    .filter(({ score }, rank) => rank === 0 || (score > 0 && score >= top * 0.75))
    .slice(0, maxSentences)
    .toSorted((a, b) => a.position - b.position)
    .map(({ sentence }) => sentence)
}

const overlap = (words: readonly Word[], sentence: string): number => {
  const meanings = meaningsIn(sentence)
  return words.filter((word) => !isFunctionWord(word.text) && containsWord(meanings, word)).length
}

const sentencesOf = (text: string): string[] =>
  [...segmenter.segment(text)].map(({ segment }) => segment.trim()).filter(Boolean)

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })
