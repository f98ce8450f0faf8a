import { chance, integer, pick, type Random } from './choice.ts'

/** The expressions of one meaning, such as `heart attack` and `myocardial infarction`. */
export type Concept = readonly string[]

/** Creates an author, who prefers the first expressions of a concept and mostly repeats the one that was chosen. */
export function createAuthor(random: Random): (concept: Concept) => string {
  const habits = new Map<Concept, string>()
  return (concept) => {
    const habit = habits.get(concept)
    if (habit !== undefined && chance(random, 0.8)) return habit
    const expression = pick(random, chance(random, 0.6) ? concept.slice(0, 2) : concept)
    habits.set(concept, habit ?? expression)
    return expression
  }
}

/** Replaces each `{name}` of a template. @throws Error if there is no such value */
export const fill = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replaceAll(/\{(\w+)\}/g, (_match, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`template has no value for ${name}: ${template}`)
    return value
  })

export const capitalize = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

const minMisspelledLength = 6

/** Misspells one long word of a text, unless there is none: two letters swapped, one omitted, doubled or replaced. */
export function misspell(random: Random, text: string): string {
  const words = text.split(' ')
  const long = [...words.keys()].filter((at) => /^[\p{L}\p{M}]+$/u.test(words[at] ?? '') && isLong(words[at] ?? ''))
  if (long.length === 0) return text
  const at = pick(random, long)
  return words.with(at, misspellWord(random, words[at] ?? '')).join(' ')
}

const isLong = (word: string) => word.length >= minMisspelledLength

function misspellWord(random: Random, word: string): string {
  // The first two letters are rarely mistyped.
  const at = integer(random, 2, word.length - 2)
  const [before, letter, next, after] = [word.slice(0, at), word[at] ?? '', word[at + 1] ?? '', word.slice(at + 2)]
  const replaced = pick(random, [...'aeiounrst'])
  const misspelled = [
    before + next + letter + after,
    before + next + after,
    before + letter + letter + next + after,
    before + replaced + next + after,
  ]
  // Letters may have been replaced by equal ones.
  const different = misspelled.filter((other) => other !== word)
  return pick(random, different)
}

/** Removes accents. */
export const withoutAccents = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll('ø', 'o')
    .replaceAll('Ø', 'O')
    .replaceAll('ł', 'l')
    .replaceAll('Ł', 'L')
    .replaceAll('ß', 'ss')
