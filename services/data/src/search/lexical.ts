import type { Query } from '@wp/database'
import { readPostings, readWords } from '../store/search.ts'
import type { Warning } from './hits.ts'
import type { Postings } from './postings.ts'
import type { PostingsCache } from './postings-cache.ts'
import type { SearchQuery } from './query.ts'
import { type PostingsOf, type Ranking, rank, type Term } from './rank.ts'
import type { SearchedSources } from './sources.ts'
import { anyOf, continuationTerm, respelled, termsOf } from './terms.ts'

/** Documents by their words. */
export interface LexicalRanking {
  ranking: Ranking
  /** What was looked for, as a tsquery. */
  wanted: string
  warnings: Warning[]
}

/** Ranks the documents of a workspace by the words of a query; where none is known, by what is spelled alike. */
export async function rankByWords(
  query: Query,
  cache: PostingsCache,
  sources: SearchedSources,
  asked: SearchQuery,
): Promise<LexicalRanking> {
  const { indexes, totals } = sources
  const configurations = [...new Set(indexes.map(({ configuration }) => configuration))]
  const read = await readWords(query, configurations, asked.words, asked.beginning)
  const terms = termsOf(read)
  const ids = indexes.map(({ indexId }) => indexId)
  const postings = await readPostings(query, cache, ids, lexemesOf(terms))
  const isKnown = (lexeme: string) => indexes.some(({ indexId }) => postings.has(`${indexId} ${lexeme}`))
  const more = await continuationTerm(query, ids, read, isKnown)
  const all = more === undefined ? terms : [...terms, more]
  if (more !== undefined) await addPostings(query, cache, ids, [more], postings)
  const ranking = rank(all, indexes, postingsIn(postings), totals)
  const asSpelled = { ranking, wanted: anyOf(all), warnings: [] }
  if (ranking.documents.length > 0 || terms.length === 0) return asSpelled
  const meant = await respelled(query, ids, terms)
  if (meant.length === 0) return asSpelled
  await addPostings(query, cache, ids, meant, postings)
  const warning = {
    code: 'respelled',
    message: `Nothing matches as it is spelled; what is spelled alike was searched: ${lexemesOf(meant).join(', ')}`,
  }
  return {
    ranking: rank(meant, indexes, postingsIn(postings), totals),
    wanted: anyOf(meant),
    warnings: [warning],
  }
}

const lexemesOf = (terms: readonly Term[]) => [...new Set(terms.flatMap(({ lexemes }) => lexemes))]

async function addPostings(
  query: Query,
  cache: PostingsCache,
  ids: readonly number[],
  terms: readonly Term[],
  to: Map<string, Postings[]>,
) {
  const missing = await readPostings(query, cache, ids, lexemesOf(terms))
  for (const [key, blocks] of missing) to.set(key, blocks)
}

const postingsIn =
  (postings: ReadonlyMap<string, Postings[]>): PostingsOf =>
  (indexId, lexeme) =>
    postings.get(`${indexId} ${lexeme}`) ?? []
