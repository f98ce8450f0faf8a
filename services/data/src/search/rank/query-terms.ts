import type { Query } from '@wp/database'
import { expandPrefix } from '../../store/search/lexemes.ts'
import type { ParsedWords } from '../../store/search/text-parsing.ts'
import type { QueryTerm } from './bm25-ranking.ts'

/** What a word counts that only begins like the last one, which is itself a word that is known. */
const prefixWeight = 0.25

/** The words of a query as terms; of a word that comes several times, the weight says how often. */
export function createQueryTerms(read: readonly ParsedWords[]): QueryTerm[] {
  const terms = new Map<string, { configurations: Set<string>; weight: number }>()
  for (const { configuration, lexemes } of read)
    for (const { lexeme, occurrences: times } of lexemes) {
      const term = terms.get(lexeme) ?? { configurations: new Set<string>(), weight: times }
      terms.set(lexeme, term)
      term.configurations.add(configuration)
    }
  return [...terms].map(([lexeme, term]) => ({ lexemes: [lexeme], ...term }))
}

/** The last word as the beginning of others; where it is a known word itself they count little beside it. */
export async function createPrefixTerm(
  query: Query,
  indexIds: readonly number[],
  read: readonly ParsedWords[],
  isKnown: (lexeme: string) => boolean,
): Promise<QueryTerm | undefined> {
  const beginning = read[0]?.prefix
  if (beginning === null || beginning === undefined) return undefined
  const whole = read.flatMap(({ lastWordLexemes: last }) => last)
  const lexemes = (await expandPrefix(query, indexIds, beginning)).filter((lexeme) => !whole.includes(lexeme))
  if (lexemes.length === 0) return undefined
  const configurations = new Set(read.map(({ configuration }) => configuration))
  return { lexemes, configurations, weight: whole.some(isKnown) ? prefixWeight : 1 }
}

/** Terms as a tsquery that any of them fulfils, for marking what was found. */
export const toTsquery = (terms: readonly QueryTerm[]): string =>
  terms
    .flatMap(({ lexemes }) => lexemes)
    .map((lexeme) => `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`)
    .join(' | ')

export const listLexemes = (terms: readonly QueryTerm[]): string[] => [
  ...new Set(terms.flatMap(({ lexemes }) => lexemes)),
]
