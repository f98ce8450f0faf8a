import type { Query } from '@wp/database'
import { continuationsOf } from '../store/search-lexemes.ts'
import type { ReadWords } from '../store/search-words.ts'
import type { Term } from './rank.ts'

/** What a word counts that only begins like the last one, which is itself a word that is known. */
const continuationWeight = 0.25

/** The words of a query as terms; of a word that comes several times, the weight says how often. */
export function termsOf(read: readonly ReadWords[]): Term[] {
  const terms = new Map<string, { configurations: Set<string>; weight: number }>()
  for (const { configuration, lexemes } of read)
    for (const { lexeme, times } of lexemes) {
      const term = terms.get(lexeme) ?? { configurations: new Set<string>(), weight: times }
      terms.set(lexeme, term)
      term.configurations.add(configuration)
    }
  return [...terms].map(([lexeme, term]) => ({ lexemes: [lexeme], ...term }))
}

/** The last word as the beginning of others; where it is a known word itself they count little beside it. */
export async function continuationTerm(
  query: Query,
  indexIds: readonly number[],
  read: readonly ReadWords[],
  isKnown: (lexeme: string) => boolean,
): Promise<Term | undefined> {
  const beginning = read[0]?.beginning
  if (beginning === null || beginning === undefined) return undefined
  const whole = read.flatMap(({ last }) => last)
  const lexemes = (await continuationsOf(query, indexIds, beginning)).filter((lexeme) => !whole.includes(lexeme))
  if (lexemes.length === 0) return undefined
  const configurations = new Set(read.map(({ configuration }) => configuration))
  return { lexemes, configurations, weight: whole.some(isKnown) ? continuationWeight : 1 }
}

/** Terms as a tsquery that any of them fulfils, for marking what was found. */
export const anyOf = (terms: readonly Term[]): string =>
  terms
    .flatMap(({ lexemes }) => lexemes)
    .map((lexeme) => `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`)
    .join(' | ')

export const lexemesOf = (terms: readonly Term[]): string[] => [...new Set(terms.flatMap(({ lexemes }) => lexemes))]
