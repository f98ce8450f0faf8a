import type { Query } from '@wp/database'
import type { Postings } from '../../store/search/postings.ts'
import { type PostingsCache, readPostings } from '../../store/search/read-postings.ts'
import { parseWords } from '../../store/search/text-parsing.ts'
import { applyProximityBoost } from './apply-proximity-boost.ts'
import { type QueryTerm, type Ranking, rankByBm25 } from './bm25-ranking.ts'
import type { ScoreBuffers } from './buffer-pool.ts'
import { extractWords } from './proximity-boost.ts'
import { createPrefixTerm, createQueryTerms, listLexemes, toTsquery } from './query-terms.ts'
import type { SearchedSources } from './searched-sources.ts'
import { correctTerms, respellTerms } from './spelling-correction.ts'
import type { Warning } from './warning.ts'

/** The result of ranking by words. */
export interface LexicalResult {
  ranking: Ranking
  /** Matches the words that were ranked by. */
  tsquery: string
  warnings: Warning[]
}

interface LexicalQuery {
  words: string
  /** The last word, if it may be incomplete. */
  prefix: string | null
}

/**
 * Ranks documents by the words of a query. Words without a match are corrected to similarly spelled ones, which a
 * warning reports.
 * @param buffers hold the scores of the returned ranking
 */
export async function rankLexically(
  query: Query,
  { postingsCache, buffers }: { postingsCache: PostingsCache; buffers: ScoreBuffers },
  workspaceId: string,
  sources: SearchedSources,
  { words, prefix }: LexicalQuery,
): Promise<LexicalResult> {
  const { indexes, totals } = sources
  const indexIds = indexes.map(({ indexId }) => indexId)
  const forms = extractWords(words)
  const configurations = [...new Set(indexes.map(({ configuration }) => configuration))]
  const parsed = await parseWords(query, configurations, words, prefix, forms)
  const postings = new Map<string, Postings[]>()
  async function loadPostings(terms: readonly QueryTerm[]): Promise<void> {
    const loaded = await readPostings(query, postingsCache, indexIds, listLexemes(terms))
    for (const [key, segments] of loaded) postings.set(key, segments)
  }
  const lookup = (indexId: number, lexeme: string) => postings.get(`${indexId} ${lexeme}`) ?? []
  const rank = (terms: readonly QueryTerm[]) => rankByBm25(terms, indexes, lookup, totals, buffers)

  const written = createQueryTerms(parsed)
  await loadPostings(written)
  const isKnown = (lexeme: string) => indexIds.some((indexId) => postings.has(`${indexId} ${lexeme}`))
  const prefixTerm = await createPrefixTerm(query, indexIds, parsed, isKnown)
  if (prefixTerm !== undefined) await loadPostings([prefixTerm])
  let terms = prefixTerm === undefined ? written : [...written, prefixTerm]
  let ranking = rank(terms)
  const hasNoMatch = ranking.documents.length === 0
  // A prefix with matches is not a mistyped word.
  const isMatchedPrefix = ({ lexemes }: QueryTerm) =>
    prefixTerm !== undefined && parsed.some(({ lastWordLexemes }) => lastWordLexemes.includes(lexemes[0] ?? ''))
  const unknown = written.filter((term, nth) => ranking.frequencies[nth] === 0 && !isMatchedPrefix(term))
  const corrections = hasNoMatch
    ? await respellTerms(query, indexIds, written)
    : await correctTerms(query, indexIds, unknown, forms, parsed)
  if (corrections.length > 0) {
    await loadPostings(corrections)
    terms = hasNoMatch ? corrections : [...terms, ...corrections]
    ranking = rank(terms)
  }
  await applyProximityBoost(query, workspaceId, sources, ranking, { forms, parsed, terms })
  const warnings = corrections.length === 0 ? [] : [respelledWarning(corrections, hasNoMatch)]
  return { ranking, tsquery: toTsquery(terms), warnings }
}

function respelledWarning(corrections: readonly QueryTerm[], hasNoMatch: boolean): Warning {
  const lexemes = listLexemes(corrections).join(', ')
  const message = hasNoMatch
    ? `No word of the query matches; the search used similarly spelled words instead: ${lexemes}`
    : `Some words of the query do not match; the search also used similarly spelled words: ${lexemes}`
  return { code: 'respelled', message }
}
