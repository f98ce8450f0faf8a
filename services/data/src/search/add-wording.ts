import type { Query } from '@wp/database'
import { readTexts } from '../store/search-documents.ts'
import type { ReadWords } from '../store/search-words.ts'
import { bestFirst } from './best.ts'
import { inverseFrequency } from './bm25.ts'
import type { LexicalRanking, Term } from './rank.ts'
import type { SearchedSources } from './sources.ts'
import { createWording, type Form, plain } from './wording.ts'

/** Documents whose wording is looked at: from below them it hardly leads to the first page. */
const mostWorded = 50

/** The words of a query: as they are written, as they were read, and what was looked for. */
interface Asked {
  forms: readonly string[]
  read: readonly ReadWords[]
  /** In the order in which the documents were ranked by them. */
  terms: readonly Term[]
}

/**
 * Adds to the scores of the best documents what their wording counts (createWording). It is nothing below 0, so they
 * stay before all others, and which they are does not depend on the page that is asked for.
 */
export async function addWording(
  query: Query,
  workspaceId: string,
  { placeOf, totals }: SearchedSources,
  ranking: LexicalRanking,
  asked: Asked,
): Promise<void> {
  const best = bestFirst(ranking, mostWorded)(mostWorded)
  const places = best.map(placeOf)
  const rarities = raritiesOf(asked.terms, ranking, totals)
  const wordings = new Map(
    asked.read.map((read) => [read.configuration, createWording(formsOf(asked.forms, read, rarities))]),
  )
  for (const { place, title, text } of await readTexts(query, workspaceId, places)) {
    const [document = 0, configuration = ''] = [best[place], places[place]?.configuration]
    const more = wordings.get(configuration)?.(title, text, ranking.relativeLength(document)) ?? 0
    ranking.scores[document] = (ranking.scores[document] ?? 0) + more
  }
}

/** The words of a query as a configuration takes them, without those that are too common for it. */
const formsOf = (forms: readonly string[], read: ReadWords, rarities: ReadonlyMap<string, number>): Form[] =>
  forms.flatMap((form, place) => {
    const [lexeme] = read.forms[place] ?? []
    return lexeme === undefined ? [] : [{ form: plain(form), place, rarity: rarities.get(lexeme) ?? 0 }]
  })

function raritiesOf(terms: readonly Term[], { frequencies }: LexicalRanking, { documents }: { documents: number }) {
  const rarities = new Map<string, number>()
  for (const [nth, { lexemes }] of terms.entries()) {
    const [lexeme, another] = lexemes
    if (lexeme !== undefined && another === undefined)
      rarities.set(lexeme, inverseFrequency(documents, frequencies[nth] ?? 0))
  }
  return rarities
}
