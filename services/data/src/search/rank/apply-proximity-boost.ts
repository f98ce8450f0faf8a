import { readDocumentTexts } from '../../store/search/documents.ts'
import type { ParsedWords } from '../../store/search/text/text-parsing.ts'
import type { SearchSession } from '../session/search-session.ts'
import { inverseDocumentFrequency } from './bm25.ts'
import type { LexicalRanking, QueryTerm } from './bm25-ranking.ts'
import {
  computeBoosts,
  createWordingFinder,
  type FoundWording,
  normalizeText,
  type QueryWord,
} from './proximity-boost.ts'
import type { RankingPolicy } from './ranking-policy.ts'
import type { SearchedSources } from './searched-sources.ts'
import { createTopKReader, sortByScore } from './top-k.ts'

/** Number of documents that are boosted; lower ones hardly reach the first page. */
const maxBoosted = 50

/** The part of a session that ranking by words needs. */
export type RankingSession = Pick<SearchSession, 'query' | 'workspaceId' | 'yieldIfDue'>

/** The words of a query: as written, as parsed, and as ranked by. */
interface RankedQuery {
  forms: readonly string[]
  parsed: readonly ParsedWords[]
  /** In the order of the frequencies of the ranking. */
  terms: readonly QueryTerm[]
}

/**
 * Adds the proximity boost to the scores of the best 50 documents. Boosts are at least 0, so these documents stay the
 * best, whichever page is read.
 */
export async function applyProximityBoost(
  { query, workspaceId, yieldIfDue }: RankingSession,
  { locate, totals }: SearchedSources,
  ranking: LexicalRanking,
  { forms, parsed, terms }: RankedQuery,
  policy: RankingPolicy,
): Promise<void> {
  const best = createTopKReader(ranking, maxBoosted)(maxBoosted)
  const locations = best.map(locate)
  const idfs = idfByLexeme(terms, ranking, totals)
  const finders = new Map(
    parsed.map((words) => [words.configuration, createWordingFinder(toQueryWords(forms, words, idfs), policy)]),
  )
  const documents: { document: number; found: FoundWording[]; relativeLength: number }[] = []
  for (const { position, title, text } of await readDocumentTexts(query, workspaceId, locations)) {
    const [document = 0, configuration = ''] = [best[position], locations[position]?.configuration]
    const found = finders.get(configuration)?.(title, text) ?? []
    documents.push({ document, found, relativeLength: ranking.relativeLength(document) })
    await yieldIfDue()
  }
  for (const [nth, boost] of computeBoosts(documents, policy).entries()) {
    const document = documents[nth]?.document ?? 0
    ranking.scores[document] = (ranking.scores[document] ?? 0) + boost
  }
  ranking.best = sortByScore(best, ranking.scores)
}

/** Returns the words of a query without the stop words of the configuration. */
const toQueryWords = (
  forms: readonly string[],
  { formLexemes }: ParsedWords,
  idfs: ReadonlyMap<string, number>,
): QueryWord[] =>
  forms.flatMap((form, position) => {
    const [lexeme] = formLexemes[position] ?? []
    return lexeme === undefined ? [] : [{ form: normalizeText(form), position, idf: idfs.get(lexeme) ?? 0 }]
  })

function idfByLexeme(
  terms: readonly QueryTerm[],
  { frequencies }: LexicalRanking,
  { documents }: { documents: number },
): ReadonlyMap<string, number> {
  const idfs = new Map<string, number>()
  for (const [nth, { lexemes }] of terms.entries()) {
    const [lexeme, another] = lexemes
    if (lexeme !== undefined && another === undefined)
      idfs.set(lexeme, inverseDocumentFrequency(documents, frequencies[nth] ?? 0))
  }
  return idfs
}
