import type { Query } from '@wp/database'
import { findCorrectionCandidates, findSimilarLexemes } from '../../store/search/lexemes.ts'
import type { ParsedWords } from '../../store/search/text/text-parsing.ts'
import type { QueryTerm } from './bm25-ranking.ts'
import type { RankingPolicy } from './ranking-policy.ts'

/**
 * Returns terms of similarly spelled lexemes, for a query of which no term matches. A long query without any known word
 * is not a typing mistake, so only its first words are respelled. Words with digits are identifiers, and other ones
 * name other things.
 */
export async function respellTerms(
  query: Query,
  indexIds: readonly number[],
  terms: readonly QueryTerm[],
  { maxRespelledWords }: RankingPolicy,
): Promise<QueryTerm[]> {
  const respelled: QueryTerm[] = []
  for (const term of terms.slice(0, maxRespelledWords))
    for (const lexeme of term.lexemes.filter((one) => !/\d/.test(one))) {
      const lexemes = await findSimilarLexemes(query, indexIds, lexeme)
      if (lexemes.length > 0) respelled.push({ ...term, lexemes })
    }
  return respelled
}

const maxCorrections = 3

/**
 * Returns terms of lexemes within one or two edits, for the unknown terms of a query that has known ones. Words with
 * digits are identifiers, and short words resemble too many others; neither is corrected.
 *
 * @param unknown terms of one lexeme each
 * @param forms the words of the query, in the order of `formLexemes`
 */
export async function correctTerms(
  query: Query,
  indexIds: readonly number[],
  unknown: readonly QueryTerm[],
  forms: readonly string[],
  parsed: readonly ParsedWords[],
  { correctedWeight, maxCorrectedWords }: RankingPolicy,
): Promise<QueryTerm[]> {
  const mistyped = unknown.flatMap((term) =>
    term.lexemes.map((lexeme) => ({ term, lexeme, maxEdits: maxEditsOf(findForm(lexeme, forms, parsed)) })),
  )
  if (mistyped.length > maxCorrectedWords || mistyped.every(({ maxEdits }) => maxEdits === 0)) return []
  const correctable = mistyped.filter(({ maxEdits }) => maxEdits > 0)
  const candidates = await findCorrectionCandidates(
    query,
    indexIds,
    correctable.map(({ lexeme }) => lexeme),
  )
  return correctable.flatMap(({ term, lexeme, maxEdits }) => {
    const lexemes = selectNearest(lexeme, candidates.get(lexeme) ?? [], maxEdits)
    return lexemes.length === 0 ? [] : [{ ...term, lexemes, weight: term.weight * correctedWeight }]
  })
}

/** The defaults of Meilisearch: one edit in words of 5 letters and more, two from 9 letters on. */
const maxEditsOf = (form: string): number => (/^[\p{L}\p{M}]{5,}$/u.test(form) ? (form.length >= 9 ? 2 : 1) : 0)

/** Returns the word of the query that was parsed to a lexeme. */
function findForm(lexeme: string, forms: readonly string[], parsed: readonly ParsedWords[]): string {
  const position = parsed
    .map(({ formLexemes }) => formLexemes.findIndex((lexemes) => lexemes.includes(lexeme)))
    .find((found) => found >= 0)
  return (position === undefined ? undefined : forms[position]) ?? lexeme
}

/** Returns up to three candidates with the lowest edit distance. */
function selectNearest(lexeme: string, candidates: readonly string[], maxEdits: number): string[] {
  const measured = candidates.map((candidate) => ({ candidate, edits: editDistance(lexeme, candidate) }))
  const least = Math.min(maxEdits, ...measured.map(({ edits }) => edits))
  return measured
    .filter(({ edits }) => edits === least)
    .slice(0, maxCorrections)
    .map(({ candidate }) => candidate)
}

/** Returns the Damerau-Levenshtein distance of two words, in its optimal string alignment form, by code points. */
export function editDistance(first: string, second: string): number {
  const [rows, columns] = [Array.from(first), Array.from(second)]
  let [beforePrevious, previous]: [number[], number[]] = [[], Array.from({ length: columns.length + 1 }, (_, at) => at)]
  for (const [line, letter] of rows.entries()) {
    const current = [line + 1]
    for (const [at, other] of columns.entries()) {
      const substitution = (previous[at] ?? 0) + (letter === other ? 0 : 1)
      const least = Math.min(substitution, (previous[at + 1] ?? 0) + 1, (current[at] ?? 0) + 1)
      const isTransposed = line > 0 && at > 0 && letter === columns[at - 1] && rows[line - 1] === other
      current.push(isTransposed ? Math.min(least, (beforePrevious[at - 1] ?? 0) + 1) : least)
    }
    ;[beforePrevious, previous] = [previous, current]
  }
  return previous.at(-1) ?? 0
}
