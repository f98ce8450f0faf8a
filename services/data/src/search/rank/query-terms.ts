import type { Query } from '@wp/database'
import { expandPrefix } from '../../store/search/lexemes.ts'
import type { ParsedWords } from '../../store/search/text-parsing.ts'
import type { QueryTerm } from './bm25-ranking.ts'
import type { RankingPolicy } from './ranking-policy.ts'

/** Returns one term per lexeme; its weight is the number of occurrences in the query. */
export function createQueryTerms(parsed: readonly ParsedWords[]): QueryTerm[] {
  const terms = new Map<string, { configurations: Set<string>; weight: number }>()
  for (const { configuration, lexemes } of parsed)
    for (const { lexeme, occurrences } of lexemes) {
      const term = terms.get(lexeme) ?? { configurations: new Set<string>(), weight: occurrences }
      terms.set(lexeme, term)
      term.configurations.add(configuration)
    }
  return [...terms].map(([lexeme, term]) => ({ lexemes: [lexeme], ...term }))
}

/** Returns a term of the lexemes that the last word is a prefix of; undefined if there are none. */
export async function createPrefixTerm(
  query: Query,
  indexIds: readonly number[],
  parsed: readonly ParsedWords[],
  isKnown: (lexeme: string) => boolean,
  { prefixWeight }: RankingPolicy,
): Promise<QueryTerm | undefined> {
  const prefix = parsed[0]?.prefix
  if (prefix === null || prefix === undefined) return undefined
  const whole = parsed.flatMap(({ lastWordLexemes }) => lastWordLexemes)
  const lexemes = (await expandPrefix(query, indexIds, prefix)).filter((lexeme) => !whole.includes(lexeme))
  if (lexemes.length === 0) return undefined
  const configurations = new Set(parsed.map(({ configuration }) => configuration))
  return { lexemes, configurations, weight: whole.some(isKnown) ? prefixWeight : 1 }
}

/** Returns a tsquery that matches any of the terms, for marking matching words. */
export const toTsquery = (terms: readonly QueryTerm[]): string =>
  terms
    .flatMap(({ lexemes }) => lexemes)
    .map((lexeme) => `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`)
    .join(' | ')

export const listLexemes = (terms: readonly QueryTerm[]): string[] => [
  ...new Set(terms.flatMap(({ lexemes }) => lexemes)),
]
