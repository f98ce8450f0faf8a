import type { Query } from '@wp/database'
import { alikeLexemes, closeLexemes } from '../store/search-lexemes.ts'
import type { ReadWords } from '../store/search-words.ts'
import { editsBetween } from './edits.ts'
import type { Term } from './rank.ts'

/** Words of a query that are tried; none of a longer text being known is no typing mistake. */
const mostRespelled = 8

/** What terms of which none matches may have meant: whatever is spelled like them. */
export async function respelled(query: Query, indexIds: readonly number[], terms: readonly Term[]): Promise<Term[]> {
  const meant: Term[] = []
  for (const term of terms.slice(0, mostRespelled))
    for (const lexeme of term.lexemes) {
      const lexemes = await alikeLexemes(query, indexIds, lexeme)
      if (lexemes.length > 0) meant.push({ ...term, lexemes })
    }
  return meant
}

/** Unknown words among known ones: more of them are the words of a subject that is not there. */
const mostCorrected = 3
/** What may only have been meant counts less. */
const correctedWeight = 0.5
const mostMeant = 3

/**
 * What unknown words among known ones may have meant: what is a mistake or two off. Words with digits are names, and
 * short ones are like too many others.
 *
 * @param unknown terms of one lexeme each
 * @param forms the words as they were written, in the order of the forms of `read`
 */
export async function corrected(
  query: Query,
  indexIds: readonly number[],
  unknown: readonly Term[],
  forms: readonly string[],
  read: readonly ReadWords[],
): Promise<Term[]> {
  const mistyped = unknown.flatMap((term) =>
    term.lexemes.map((lexeme) => ({ term, lexeme, most: mostEdits(writtenAs(lexeme, forms, read)) })),
  )
  if (mistyped.length > mostCorrected || mistyped.every(({ most }) => most === 0)) return []
  const wanted = mistyped.filter(({ most }) => most > 0)
  const close = await closeLexemes(
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
const mostEdits = (form: string): number => (/^[\p{L}\p{M}]{5,}$/u.test(form) ? (form.length >= 9 ? 2 : 1) : 0)

function writtenAs(lexeme: string, forms: readonly string[], read: readonly ReadWords[]): string {
  const at = read.map((one) => one.forms.findIndex((lexemes) => lexemes.includes(lexeme))).find((place) => place >= 0)
  return (at === undefined ? undefined : forms[at]) ?? lexeme
}

/** Those with the fewest mistakes. */
function nearest(lexeme: string, close: readonly string[], most: number): string[] {
  const measured = close.map((other) => ({ other, edits: editsBetween(lexeme, other) }))
  const least = Math.min(most, ...measured.map(({ edits }) => edits))
  return measured
    .filter(({ edits }) => edits === least)
    .slice(0, mostMeant)
    .map(({ other }) => other)
}
