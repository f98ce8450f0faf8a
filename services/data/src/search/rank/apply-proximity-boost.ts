import type { Query } from '@wp/database'
import { readDocumentTexts } from '../../store/search/documents.ts'
import type { ParsedWords } from '../../store/search/text-parsing.ts'
import { inverseFrequency } from './bm25.ts'
import type { LexicalRanking, QueryTerm } from './bm25-ranking.ts'
import { createProximityBoost, normalizeText, type QueryWord } from './proximity-boost.ts'
import type { SearchedSources } from './searched-sources.ts'
import { createTopKReader } from './top-k.ts'

/** Documents whose wording is looked at: from below them it hardly leads to the first page. */
const maxBoosted = 50

/** The words of a query: as they are written, as they were read, and what was looked for. */
interface QueryWords {
  forms: readonly string[]
  read: readonly ParsedWords[]
  /** In the order in which the documents were ranked by them. */
  terms: readonly QueryTerm[]
}

/**
 * Adds to the scores of the best documents what their wording counts (createWording). It is nothing below 0, so they
 * stay before all others, and which they are does not depend on the page that is asked for.
 */
export async function applyProximityBoost(
  query: Query,
  workspaceId: string,
  { locate: placeOf, totals }: SearchedSources,
  ranking: LexicalRanking,
  asked: QueryWords,
): Promise<void> {
  const best = createTopKReader(ranking, maxBoosted)(maxBoosted)
  const places = best.map(placeOf)
  const rarities = raritiesOf(asked.terms, ranking, totals)
  const wordings = new Map(
    asked.read.map((read) => [read.configuration, createProximityBoost(formsOf(asked.forms, read, rarities))]),
  )
  for (const { place, title, text } of await readDocumentTexts(query, workspaceId, places)) {
    const [document = 0, configuration = ''] = [best[place], places[place]?.configuration]
    const more = wordings.get(configuration)?.(title, text, ranking.relativeLength(document)) ?? 0
    ranking.scores[document] = (ranking.scores[document] ?? 0) + more
  }
}

/** The words of a query as a configuration takes them, without those that are too common for it. */
const formsOf = (forms: readonly string[], read: ParsedWords, rarities: ReadonlyMap<string, number>): QueryWord[] =>
  forms.flatMap((form, place) => {
    const [lexeme] = read.formLexemes[place] ?? []
    return lexeme === undefined ? [] : [{ form: normalizeText(form), position: place, idf: rarities.get(lexeme) ?? 0 }]
  })

function raritiesOf(
  terms: readonly QueryTerm[],
  { frequencies }: LexicalRanking,
  { documents }: { documents: number },
) {
  const rarities = new Map<string, number>()
  for (const [nth, { lexemes }] of terms.entries()) {
    const [lexeme, another] = lexemes
    if (lexeme !== undefined && another === undefined)
      rarities.set(lexeme, inverseFrequency(documents, frequencies[nth] ?? 0))
  }
  return rarities
}
