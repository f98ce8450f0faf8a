import type { Query } from '@wp/database'
import { readPostings } from '../../store/search/read-postings.ts'
import { parseWords } from '../../store/search/text-parsing.ts'
import type { Postings } from '../index/postings.ts'
import type { PostingsCache } from '../index/postings-cache.ts'
import type { Warning } from '../query/hit-page.ts'
import type { ParsedQuery } from '../query/parse-query.ts'
import { applyProximityBoost } from './apply-proximity-boost.ts'
import { type QueryTerm, type Ranking, rankByBm25 } from './bm25-ranking.ts'
import type { ScoreBuffers } from './buffer-pool.ts'
import { extractWords } from './proximity-boost.ts'
import { createPrefixTerm, createQueryTerms, listLexemes, toTsquery } from './query-terms.ts'
import type { SearchedSources } from './searched-sources.ts'
import { correctTerms, respellTerms } from './spelling-correction.ts'

/** Documents by their words. */
export interface LexicalResult {
  ranking: Ranking
  /** What was looked for, as a tsquery. */
  tsquery: string
  warnings: Warning[]
}

/** Ranks the documents of a workspace by the words of a query, and by what is spelled like words that are not known. */
export async function rankLexically(
  query: Query,
  { postings: cache, room }: { postings: PostingsCache; room: ScoreBuffers },
  workspaceId: string,
  sources: SearchedSources,
  asked: ParsedQuery,
): Promise<LexicalResult> {
  const { indexes, totals } = sources
  const ids = indexes.map(({ indexId }) => indexId)
  const forms = extractWords(asked.words)
  const configurations = [...new Set(indexes.map(({ configuration }) => configuration))]
  const read = await parseWords(query, configurations, asked.words, asked.prefix, forms)
  const postings = new Map<string, Postings[]>()
  async function add(terms: readonly QueryTerm[]) {
    for (const [key, segments] of await readPostings(query, cache, ids, listLexemes(terms))) postings.set(key, segments)
  }
  const rankBy = (terms: readonly QueryTerm[]) =>
    rankByBm25(terms, indexes, (indexId, lexeme) => postings.get(`${indexId} ${lexeme}`) ?? [], totals, room)

  const asWritten = createQueryTerms(read)
  await add(asWritten)
  const isKnown = (lexeme: string) => ids.some((indexId) => postings.has(`${indexId} ${lexeme}`))
  const begun = await createPrefixTerm(query, ids, read, isKnown)
  if (begun !== undefined) await add([begun])
  let terms = begun === undefined ? asWritten : [...asWritten, begun]
  let ranking = rankBy(terms)
  const isNothing = ranking.documents.length === 0
  const unknown = asWritten.filter((_, nth) => ranking.frequencies[nth] === 0)
  const isBeginning = ({ lexemes }: QueryTerm) =>
    begun !== undefined && read.some(({ lastWordLexemes: last }) => last.includes(lexemes[0] ?? ''))
  const meant = isNothing
    ? await respellTerms(query, ids, asWritten)
    : await correctTerms(
        query,
        ids,
        unknown.filter((term) => !isBeginning(term)),
        forms,
        read,
      )
  if (meant.length > 0) {
    await add(meant)
    terms = isNothing ? meant : [...terms, ...meant]
    ranking = rankBy(terms)
  }
  await applyProximityBoost(query, workspaceId, sources, ranking, { forms, read, terms })
  return { ranking, tsquery: toTsquery(terms), warnings: meant.length === 0 ? [] : [respelling(meant, isNothing)] }
}

const respelling = (meant: readonly QueryTerm[], isNothing: boolean): Warning => {
  const [what, instead] = isNothing
    ? ['Nothing matches as it is spelled', 'what is spelled alike was searched']
    : ['Not all words are known as they are spelled', 'what is spelled alike was searched too']
  return { code: 'respelled', message: `${what}; ${instead}: ${listLexemes(meant).join(', ')}` }
}
