import { containsWord, meaningsOfName } from './language/matching.ts'
import type { Question } from './language/question.ts'
import type { Word } from './language/words.ts'
import type { KnownSource } from './tool-results.ts'

type Field = KnownSource['fields'][number]

/** Returns the share of the words of a name that the question has, 0 to 1. */
export function nameScore(name: string, words: readonly Word[]): number {
  const meanings = meaningsOfName(name)
  if (meanings.length === 0) return 0
  return (
    meanings.filter((meaning) => words.some((word) => containsWord(new Set([meaning]), word))).length / meanings.length
  )
}

/** Returns the fields of these types whose names the question mentions, best first. */
export const mentionedFields = (source: KnownSource, words: readonly Word[], types: readonly string[]): Field[] =>
  source.fields
    .filter(({ type }) => types.includes(type))
    .map((field) => ({ field, score: nameScore(field.name, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .map(({ field }) => field)

/** Returns the field that a word such as `building` in `by building` names; undefined if there is none. */
export const fieldNamed = (source: KnownSource, meaning: string, types: readonly string[]): Field | undefined =>
  source.fields
    .filter(({ type }) => types.includes(type))
    .filter(({ name }) => meaningsOfName(name).includes(meaning))
    .toSorted((a, b) => meaningsOfName(a.name).length - meaningsOfName(b.name).length)[0]

/** Returns how well a source fits a question, by its name and the names of its fields. 0: not at all. */
export function sourceScore(source: KnownSource, { words, groupWords }: Question): number {
  const fields = mentionedFields(source, words, ['number', 'string', 'boolean', 'timestamp'])
  const numeric = fields
    .filter(({ type }) => type === 'number')
    .reduce((best, { name }) => Math.max(best, nameScore(name, words)), 0)
  const named = meaningsOfName(source.name).filter((meaning) =>
    words.some((word) => containsWord(new Set([meaning]), word)),
  )
  const groups = groupWords.filter((meaning) =>
    fieldNamed(source, meaning, ['string', 'number', 'boolean', 'timestamp']),
  )
  return 3 * numeric + 2 * named.length + Math.min(2, fields.length) + groups.length
}
