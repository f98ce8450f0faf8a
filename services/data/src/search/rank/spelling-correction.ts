import type { Query } from '@wp/database'
import { findCorrectionCandidates, findSimilarLexemes } from '../../store/search/lexemes.ts'
import type { ParsedWords } from '../../store/search/text-parsing.ts'
import type { QueryTerm } from './bm25-ranking.ts'
import { editDistance } from './edit-distance.ts'

/** Words of a query that are tried; none of a longer text being known is no typing mistake. */
const maxRespelled = 8

/** What terms of which none matches may have meant: whatever is spelled like them. */
export async function respellTerms(
  query: Query,
  indexIds: readonly number[],
  terms: readonly QueryTerm[],
): Promise<QueryTerm[]> {
  const meant: QueryTerm[] = []
  for (const term of terms.slice(0, maxRespelled))
    for (const lexeme of term.lexemes) {
      const lexemes = await findSimilarLexemes(query, indexIds, lexeme)
      if (lexemes.length > 0) meant.push({ ...term, lexemes })
    }
  return meant
}

/** Unknown words among known ones: more of them are the words of a subject that is not there. */
const maxCorrected = 3
/** What may only have been meant counts less. */
const correctedWeight = 0.5
const maxCorrections = 3

/**
 * What unknown words among known ones may have meant: what is a mistake or two off. Words with digits are names, and
 * short ones are like too many others.
 *
 * @param unknown terms of one lexeme each
 * @param forms the words as they were written, in the order of the forms of `read`
 */
export async function correctTerms(
  query: Query,
  indexIds: readonly number[],
  unknown: readonly QueryTerm[],
  forms: readonly string[],
  read: readonly ParsedWords[],
): Promise<QueryTerm[]> {
  const mistyped = unknown.flatMap((term) =>
    term.lexemes.map((lexeme) => ({ term, lexeme, most: maxEditsFor(surfaceFormOf(lexeme, forms, read)) })),
  )
  if (mistyped.length > maxCorrected || mistyped.every(({ most }) => most === 0)) return []
  const wanted = mistyped.filter(({ most }) => most > 0)
  const close = await findCorrectionCandidates(
    query,
    indexIds,
    wanted.map(({ lexeme }) => lexeme),
  )
  return wanted.flatMap(({ term, lexeme, most }) => {
    const lexemes = nearest(lexeme, close.get(lexeme) ?? [], most)
    return lexemes.length === 0 ? [] : [{ ...term, lexemes, weight: term.weight * correctedWeight }]
  })
}

/** As in Meilisearch: one mistake in words of five letters and more, two from nine on. */
const maxEditsFor = (form: string): number => (/^[\p{L}\p{M}]{5,}$/u.test(form) ? (form.length >= 9 ? 2 : 1) : 0)

function surfaceFormOf(lexeme: string, forms: readonly string[], read: readonly ParsedWords[]): string {
  const at = read
    .map((one) => one.formLexemes.findIndex((lexemes) => lexemes.includes(lexeme)))
    .find((place) => place >= 0)
  return (at === undefined ? undefined : forms[at]) ?? lexeme
}

/** Those with the fewest mistakes. */
function nearest(lexeme: string, close: readonly string[], most: number): string[] {
  const measured = close.map((other) => ({ other, edits: editDistance(lexeme, other) }))
  const least = Math.min(most, ...measured.map(({ edits }) => edits))
  return measured
    .filter(({ edits }) => edits === least)
    .slice(0, maxCorrections)
    .map(({ other }) => other)
}
