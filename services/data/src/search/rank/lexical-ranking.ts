import type { Postings } from '../../store/search/postings.ts'
import { type PostingsCache, readPostings } from '../../store/search/read-postings.ts'
import { parseWords } from '../../store/search/text/text-parsing.ts'
import type { ParsedQuery } from '../query/input/parse-query.ts'
import { applyProximityBoost, type RankingSession } from './apply-proximity-boost.ts'
import { type LexicalRanking, type QueryTerm, rankByBm25 } from './bm25-ranking.ts'
import type { ScoreBuffers } from './postings/buffer-pool.ts'
import { extractWords } from './proximity-boost.ts'
import { createPrefixTerm, createQueryTerms, createStopWordTerms, listLexemes, toTsquery } from './query-terms.ts'
import { type RankingPolicy, rankingPolicy } from './ranking-policy.ts'
import type { SearchedSources } from './searched-sources.ts'
import { correctTerms, respellTerms } from './spelling-correction.ts'
import type { Warning } from './warning.ts'

/** The result of ranking by words. */
export interface LexicalResult {
  ranking: LexicalRanking
  /** Matches the words that were ranked by. */
  tsquery: string
  warnings: Warning[]
}

type LexicalQuery = Pick<ParsedQuery, 'words' | 'phrases' | 'prefix' | 'parts' | 'unspacedWords' | 'symbolicWords'>

/**
 * Ranks documents by the words of a query. Words without a match are corrected to similarly spelled ones, which a
 * warning reports. Longer than most functions: each step of the ranking needs the results of those before.
 * @param buffers hold the scores of the returned ranking
 */
export async function rankLexically(
  session: RankingSession,
  { postingsCache, buffers }: { postingsCache: PostingsCache; buffers: ScoreBuffers },
  sources: SearchedSources,
  { words, phrases, prefix, parts, unspacedWords, symbolicWords }: LexicalQuery,
  policy: RankingPolicy = rankingPolicy,
): Promise<LexicalResult> {
  const { query, yieldIfDue } = session
  const { indexes, totals } = sources
  const indexIds = indexes.map(({ indexId }) => indexId)
  const forms = extractWords(words).slice(0, maxWords)
  const configurations = [...new Set(indexes.map(({ configuration }) => configuration))]
  const parsed = await parseWords(query, configurations, { parts, symbolicWords, prefix, forms })
  const postings = new Map<string, Postings[]>()
  const budget = { bytes: maxPostingBytes }
  const tooFrequent = new Set<string>()
  async function loadPostings(terms: readonly QueryTerm[]): Promise<void> {
    const { segmentsByKey, omitted } = await readPostings(query, postingsCache, indexIds, listLexemes(terms), budget)
    for (const [key, segments] of segmentsByKey) postings.set(key, segments)
    for (const lexeme of omitted) tooFrequent.add(lexeme)
  }
  /** Loads the postings of terms, and returns the terms without what is too frequent. */
  async function load(terms: readonly QueryTerm[]): Promise<QueryTerm[]> {
    await loadPostings(terms)
    return terms
      .map((term) => ({ ...term, lexemes: term.lexemes.filter((lexeme) => !tooFrequent.has(lexeme)) }))
      .filter(({ lexemes }) => lexemes.length > 0)
  }
  const lookup = (indexId: number, lexeme: string) => postings.get(`${indexId} ${lexeme}`) ?? []
  const rank = (terms: readonly QueryTerm[]) => rankByBm25(terms, indexes, lookup, totals, buffers, yieldIfDue, policy)

  const significant = createQueryTerms(parsed, unspacedWords)
  const stopWords = createStopWordTerms(parsed)
  const stopLexemes = new Set(listLexemes(stopWords))
  // Stop words find nothing beside other words, except in a phrase, which a hit must contain.
  const searchesStopWords = phrases.length > 0 || significant.length === 0
  const allTerms = searchesStopWords ? [...significant, ...stopWords] : significant
  let written = await load(allTerms.slice(0, maxWords))
  const isKnown = (lexeme: string) => indexIds.some((indexId) => postings.has(`${indexId} ${lexeme}`))
  const prefixTerm = await createPrefixTerm(query, indexIds, parsed, isKnown, policy)
  if (prefixTerm !== undefined) await loadPostings([prefixTerm])
  let terms = prefixTerm === undefined ? written : [...written, prefixTerm]
  let ranking = await rank(terms)
  // The other spelling of AT&T is in no document: its parts are searched.
  if (
    ranking.documents.length === 0 &&
    !searchesStopWords &&
    parsed.every(({ hasOnlyStopWords }) => hasOnlyStopWords)
  ) {
    written = await load(stopWords.slice(0, maxWords))
    terms = written
    ranking = await rank(terms)
  }
  const hasNoMatch = ranking.documents.length === 0
  // A prefix with matches is not a mistyped word.
  const isMatchedPrefix = ({ lexemes }: QueryTerm) =>
    prefixTerm !== undefined && parsed.some(({ lastWordLexemes }) => lastWordLexemes.includes(lexemes[0] ?? ''))
  // Another spelling of a word is not a mistyped word either.
  const isWord = ({ lexemes: [lexeme = ''] }: QueryTerm) =>
    !stopLexemes.has(lexeme) && parsed.some(({ wordLexemes }) => wordLexemes.includes(lexeme))
  const unknown = written.filter(
    (term, nth) => ranking.frequencies[nth] === 0 && isWord(term) && !isMatchedPrefix(term),
  )
  const corrections = hasNoMatch
    ? await respellTerms(query, indexIds, written.filter(isWord), policy)
    : await correctTerms(query, indexIds, unknown, forms, parsed, policy)
  if (corrections.length > 0) {
    await loadPostings(corrections)
    terms = hasNoMatch ? corrections : [...terms, ...corrections]
    ranking = await rank(terms)
  }
  await applyProximityBoost(session, sources, ranking, { forms, parsed, terms }, policy)
  const warnings = [
    ...(corrections.length === 0 ? [] : [respelledWarning(corrections, hasNoMatch)]),
    ...(allTerms.length > maxWords || tooFrequent.size > 0 ? [wordsIgnoredWarning] : []),
  ]
  return { ranking, tsquery: toTsquery(terms), warnings }
}

/** Limits of what one search loads into memory: the words of a query, and the bytes of their posting lists. */
const [maxWords, maxPostingBytes] = [128, 32 * 1024 * 1024]

const wordsIgnoredWarning: Warning = {
  code: 'words_ignored',
  message: `A search uses the first ${maxWords} different words of the query, without the most frequent ones if they occur in millions of records`,
}

function respelledWarning(corrections: readonly QueryTerm[], hasNoMatch: boolean): Warning {
  const lexemes = listLexemes(corrections).join(', ')
  const message = hasNoMatch
    ? `No word of the query matches; the search used similarly spelled words instead: ${lexemes}`
    : `Some words of the query do not match; the search also used similarly spelled words: ${lexemes}`
  return { code: 'respelled', message }
}
