import type { Query } from '@wp/database'
import { expandPrefix } from '../../store/search/lexemes.ts'
import type { ParsedWords } from '../../store/search/text/text-parsing.ts'
import { listPairs } from '../../store/search/text/unspaced-text.ts'
import type { QueryTerm } from './bm25-ranking.ts'
import type { RankingPolicy } from './ranking-policy.ts'

/**
 * Returns one term per lexeme, whose weight is the number of occurrences in the query, and one per word that is written
 * without spaces.
 */
export function createQueryTerms(parsed: readonly ParsedWords[], unspacedWords: readonly string[]): QueryTerm[] {
  const terms = new Map<string, { configurations: Set<string>; weight: number }>()
  for (const { configuration, lexemes } of parsed)
    for (const { lexeme, occurrences } of lexemes) {
      const term = terms.get(lexeme) ?? { configurations: new Set<string>(), weight: occurrences }
      terms.set(lexeme, term)
      term.configurations.add(configuration)
    }
  const unspaced = unspacedWords.map((word) => ({
    lexemes: listPairs(word),
    configurations: configurationsOf(parsed),
    weight: 1,
    isConjunction: true,
  }))
  return [...[...terms].map(([lexeme, term]) => ({ lexemes: [lexeme], ...term })), ...unspaced]
}

/** Returns one term per lexeme of the parts of a query that consist of stop words. */
export const createStopWordTerms = (parsed: readonly ParsedWords[]): QueryTerm[] =>
  createQueryTerms(
    parsed.map((words) => ({
      ...words,
      lexemes: words.stopLexemes.map((lexeme) => ({ lexeme, occurrences: 1 })),
    })),
    [],
  )

const configurationsOf = (parsed: readonly ParsedWords[]) => new Set(parsed.map(({ configuration }) => configuration))

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
  return { lexemes, configurations: configurationsOf(parsed), weight: whole.some(isKnown) ? prefixWeight : 1 }
}

/** Returns a tsquery that matches any of the terms, for marking matching words. */
export const toTsquery = (terms: readonly QueryTerm[]): string =>
  terms
    .map(({ lexemes, isConjunction }) => `(${lexemes.map(quoteLexeme).join(isConjunction ? ' & ' : ' | ')})`)
    .join(' | ')

const quoteLexeme = (lexeme: string) => `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`

export const listLexemes = (terms: readonly QueryTerm[]): string[] => [
  ...new Set(terms.flatMap(({ lexemes }) => lexemes)),
]
