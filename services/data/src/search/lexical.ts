import type { Query } from '@wp/database'
import { readPostings } from '../store/search-postings.ts'
import { readWords } from '../store/search-words.ts'
import { addWording } from './add-wording.ts'
import type { Warning } from './hits.ts'
import type { Postings } from './postings.ts'
import type { PostingsCache } from './postings-cache.ts'
import type { SearchQuery } from './query.ts'
import { type Ranking, rank, type Term } from './rank.ts'
import type { Room } from './room.ts'
import type { SearchedSources } from './sources.ts'
import { corrected, respelled } from './spelling.ts'
import { anyOf, continuationTerm, lexemesOf, termsOf } from './terms.ts'
import { formsIn } from './wording.ts'

/** Documents by their words. */
export interface RankedByWords {
  ranking: Ranking
  /** What was looked for, as a tsquery. */
  wanted: string
  warnings: Warning[]
}

/** Ranks the documents of a workspace by the words of a query, and by what is spelled like words that are not known. */
export async function rankByWords(
  query: Query,
  { postings: cache, room }: { postings: PostingsCache; room: Room },
  workspaceId: string,
  sources: SearchedSources,
  asked: SearchQuery,
): Promise<RankedByWords> {
  const { indexes, totals } = sources
  const ids = indexes.map(({ indexId }) => indexId)
  const forms = formsIn(asked.words)
  const configurations = [...new Set(indexes.map(({ configuration }) => configuration))]
  const read = await readWords(query, configurations, asked.words, asked.beginning, forms)
  const postings = new Map<string, Postings[]>()
  async function add(terms: readonly Term[]) {
    for (const [key, segments] of await readPostings(query, cache, ids, lexemesOf(terms))) postings.set(key, segments)
  }
  const rankBy = (terms: readonly Term[]) =>
    rank(terms, indexes, (indexId, lexeme) => postings.get(`${indexId} ${lexeme}`) ?? [], totals, room)

  const asWritten = termsOf(read)
  await add(asWritten)
  const isKnown = (lexeme: string) => ids.some((indexId) => postings.has(`${indexId} ${lexeme}`))
  const begun = await continuationTerm(query, ids, read, isKnown)
  if (begun !== undefined) await add([begun])
  let terms = begun === undefined ? asWritten : [...asWritten, begun]
  let ranking = rankBy(terms)
  const isNothing = ranking.documents.length === 0
  const unknown = asWritten.filter((_, nth) => ranking.frequencies[nth] === 0)
  const isBeginning = ({ lexemes }: Term) =>
    begun !== undefined && read.some(({ last }) => last.includes(lexemes[0] ?? ''))
  const meant = isNothing
    ? await respelled(query, ids, asWritten)
    : await corrected(
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
  await addWording(query, workspaceId, sources, ranking, { forms, read, terms })
  return { ranking, wanted: anyOf(terms), warnings: meant.length === 0 ? [] : [respelling(meant, isNothing)] }
}

const respelling = (meant: readonly Term[], isNothing: boolean): Warning => {
  const [what, instead] = isNothing
    ? ['Nothing matches as it is spelled', 'what is spelled alike was searched']
    : ['Not all words are known as they are spelled', 'what is spelled alike was searched too']
  return { code: 'respelled', message: `${what}; ${instead}: ${lexemesOf(meant).join(', ')}` }
}
