import { type dataSearch, type FieldFilter, problem, type SearchLanguage } from '@wp/contracts'
import type { Query } from '@wp/database'
import type { z } from 'zod'
import { type IndexedSource, listIndexes, readPostings, readWords, show, unknownSources } from '../store/search.ts'
import { bestFirst, type Candidates, inOrder } from './best.ts'
import { decodeHitCursor, encodeHitCursor, type HitCursor } from './cursor.ts'
import { type Examination, examineBest } from './examine.ts'
import { markedHtml, unmarked } from './marks.ts'
import type { Postings } from './postings.ts'
import type { PostingsCache } from './postings-cache.ts'
import { parseQuery } from './query.ts'
import { type PostingsOf, type Ranking, rank, type SearchedIndex, type Term } from './rank.ts'
import { anyOf, continuationTerm, respelled, termsOf } from './terms.ts'

/** What is asked; `pointers` say where in the request. */
export interface SearchInput {
  query: string
  dataSourceIds?: readonly string[] | undefined
  filters?: Readonly<Record<string, FieldFilter>> | undefined
  facets?: readonly string[] | undefined
  mode: 'lexical' | 'semantic' | 'hybrid'
  language?: SearchLanguage | undefined
  highlight: boolean
  minScore?: number | undefined
  limit: number
  cursor?: string | undefined
  pointers: { dataSourceId: (place: number) => string; cursor: string; mode: string }
}

type Answer = { items: z.input<typeof dataSearch.search.list>[]; nextCursor: string | null; meta: Meta }
type Meta = z.input<typeof dataSearch.search.meta>

/** How many hits the cursors of one search lead to. */
const deepest = 10_000

/**
 * Searches the records of a workspace.
 * @throws Problem `unknown_reference`, `invalid_cursor`, `embeddings_not_connected`
 */
export async function search(
  query: Query,
  cache: PostingsCache,
  workspaceId: string,
  input: SearchInput,
): Promise<Answer> {
  const warnings = warningsOfMode(input)
  const cursor = input.cursor === undefined ? undefined : decodeHitCursor(input.cursor, input.pointers.cursor)
  await refuseUnknown(query, workspaceId, input)
  const sources = await listIndexes(query, workspaceId, input.language)
  const asked = parseQuery(input.query)
  const configurations = [...new Set(sources.map(({ configuration }) => configuration))]
  const read = await readWords(query, configurations, asked.words, asked.beginning)
  const searched = { query, cache, indexes: indexesOf(sources, input.dataSourceIds), totals: totalsOf(sources) }
  const { ranking, terms, spelling } = await rankTerms(searched, termsOf(read), read)
  if (spelling !== undefined) warnings.push(spelling)

  const matches = goodEnough(ranking, input.minScore)
  const place = placesOf(searched.indexes, sources)
  const isLater = cursor && laterThan(cursor, ranking, place)
  const needsLook = asked.phrases.length > 0 || input.facets !== undefined || input.filters !== undefined
  const look = needsLook
    ? await examineBest(query, workspaceId, { ...ranking, documents: matches }, place.of, {
        ...input,
        ...asked,
        isLater,
      })
    : undefined
  if (look?.warning !== undefined) warnings.push(look.warning)
  const candidates = look
    ? inOrder(look.passed)
    : bestFirst({ ...ranking, documents: isLater ? matches.filter(isLater) : matches }, input.limit + 1)
  const shown = await showFirst(query, workspaceId, candidates, place.of, anyOf(terms), input.limit + 1)
  const items = shown.slice(0, input.limit)
  const depth = (cursor?.shown ?? 0) + items.length
  if (depth >= deepest && shown.length > items.length)
    warnings.push({ code: 'depth_reached', message: `No more than ${deepest} hits are listed; ask more narrowly` })
  const last = items.at(-1)
  const hasMore = shown.length > items.length && depth < deepest
  return {
    items: items.map(({ document, found }) => ({
      record_id: found.recordId,
      data_source_id: place.of(document).dataSourceId,
      title: input.highlight && found.markedTitle !== null ? markedHtml(found.markedTitle) : found.title,
      url: found.url,
      snippet: found.snippet && (input.highlight ? markedHtml(found.snippet) : unmarked(found.snippet)),
      score: ranking.scores[document] ?? 0,
    })),
    nextCursor:
      last !== undefined && hasMore
        ? encodeHitCursor({ score: ranking.scores[last.document] ?? 0, ...place.of(last.document), shown: depth })
        : null,
    meta: { mode_used: 'lexical', warnings, ...totalOf(look, matches), ...(look?.facets && { facets: look.facets }) },
  }
}

const goodEnough = ({ documents, scores }: Ranking, least = 0) =>
  least === 0 ? documents : documents.filter((document) => (scores[document] ?? 0) >= least)

function warningsOfMode({ mode, pointers }: SearchInput): Meta['warnings'] {
  if (mode === 'lexical') return []
  const message = 'No integration that makes embeddings is connected'
  if (mode === 'semantic')
    throw problem('embeddings_not_connected', {
      detail: message,
      errors: [{ pointer: pointers.mode, detail: 'needs a connected integration that makes embeddings' }],
    })
  return [{ code: 'embeddings_not_connected', message: `${message}: only words were searched` }]
}

async function refuseUnknown(query: Query, workspaceId: string, { dataSourceIds, pointers }: SearchInput) {
  if (dataSourceIds === undefined) return
  const unknown = await unknownSources(query, workspaceId, dataSourceIds)
  if (unknown.length === 0) return
  const detail = 'is not a data source of this workspace'
  const errors = unknown.map((id) => ({ pointer: pointers.dataSourceId(dataSourceIds.indexOf(id)), detail }))
  throw problem('unknown_reference', { detail: `${errors[0]?.pointer}: ${detail}`, errors })
}

function indexesOf(sources: readonly IndexedSource[], ids: readonly string[] | undefined): SearchedIndex[] {
  let base = 0
  return sources.map(({ dataSourceId, indexId, size, configuration }) => {
    const index = { indexId, base, size, configuration, isWanted: ids === undefined || ids.includes(dataSourceId) }
    base += size
    return index
  })
}

const totalsOf = (sources: readonly IndexedSource[]) => ({
  documents: sources.reduce((sum, { documents }) => sum + documents, 0),
  length: sources.reduce((sum, { length }) => sum + length, 0),
})

interface Searched {
  query: Query
  cache: PostingsCache
  indexes: readonly SearchedIndex[]
  totals: { documents: number; length: number }
}

async function rankTerms(searched: Searched, terms: Term[], read: Parameters<typeof termsOf>[0]) {
  const { query, cache, indexes, totals } = searched
  const ids = indexes.map(({ indexId }) => indexId)
  const postings = await readPostings(query, cache, ids, lexemesOf(terms))
  const isKnown = (lexeme: string) => indexes.some(({ indexId }) => postings.has(`${indexId} ${lexeme}`))
  const more = await continuationTerm(query, ids, read, isKnown)
  const all = more === undefined ? terms : [...terms, more]
  if (more !== undefined) await addPostings(searched, ids, [more], postings)
  const ranking = rank(all, indexes, postingsIn(postings), totals)
  if (ranking.documents.length > 0 || terms.length === 0) return { ranking, terms: all, spelling: undefined }
  const meant = await respelled(query, ids, terms)
  if (meant.length === 0) return { ranking, terms: all, spelling: undefined }
  await addPostings(searched, ids, meant, postings)
  const spelling = {
    code: 'respelled',
    message: `Nothing matches as it is spelled; what is spelled alike was searched: ${lexemesOf(meant).join(', ')}`,
  }
  return { ranking: rank(meant, indexes, postingsIn(postings), totals), terms: meant, spelling }
}

const lexemesOf = (terms: readonly Term[]) => [...new Set(terms.flatMap(({ lexemes }) => lexemes))]

async function addPostings(
  { query, cache }: Searched,
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

/** Which document of which source a number stands for, and the other way round. */
function placesOf(indexes: readonly SearchedIndex[], sources: readonly IndexedSource[]) {
  return {
    of(number: number) {
      const at = indexes.findIndex(({ base, size }) => number < base + size)
      const [index, source] = [indexes[at], sources[at]]
      if (index === undefined || source === undefined) throw new Error('a ranked document is of an index')
      return { dataSourceId: source.dataSourceId, document: number - index.base, configuration: source.configuration }
    },
    /** Where the document of a cursor would stand, also when its source is gone. */
    numberOf({ dataSourceId, document }: HitCursor): number {
      const at = sources.findIndex((source) => source.dataSourceId >= dataSourceId)
      const base = indexes[at]?.base ?? Number.POSITIVE_INFINITY
      return sources[at]?.dataSourceId === dataSourceId ? base + document : base - 1
    },
  }
}

function laterThan(cursor: HitCursor, { scores }: Ranking, place: ReturnType<typeof placesOf>) {
  const last = place.numberOf(cursor)
  return (number: number): boolean => {
    const score = scores[number] ?? 0
    return score < cursor.score || (score === cursor.score && number > last)
  }
}

/** Reads what is shown of the first candidates; those that went away meanwhile make room for the next. */
async function showFirst(
  query: Query,
  workspaceId: string,
  candidates: Candidates,
  placeOf: (document: number) => { dataSourceId: string; document: number; configuration: string },
  wanted: string,
  many: number,
) {
  const shown: { document: number; found: Awaited<ReturnType<typeof show>>[number] }[] = []
  while (shown.length < many) {
    const next = candidates(many - shown.length)
    if (next.length === 0) break
    for (const found of await show(query, workspaceId, next.map(placeOf), wanted))
      shown.push({ document: next[found.place] ?? 0, found })
  }
  return shown
}

const totalOf = (look: Examination | undefined, matches: Uint32Array): { total?: number } =>
  look === undefined ? { total: matches.length } : look.total === undefined ? {} : { total: look.total }
