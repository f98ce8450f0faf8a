import type { Query, Row } from '@wp/database'
import { LRUCache } from 'lru-cache'
import type { SearchPosting } from '#db'
import { hideFromPlanner } from './hide-from-planner.ts'
import { decodePostings, type Postings } from './postings.ts'

/** Caches postings by the key and version of their row; a version never changes. */
export interface PostingsCache {
  get(key: string): Postings | undefined
  set(key: string, postings: Postings): unknown
}

/** Creates an LRU cache of postings, bounded by their size in bytes. */
export const createPostingsCache = (maxBytes: number): PostingsCache =>
  new LRUCache<string, Postings>({
    maxSize: Math.max(1, maxBytes), // 0 would mean unbounded
    sizeCalculation: ({ byteLength }) => Math.max(1, byteLength),
  })

/** Larger posting lists are cached: checking their version costs less than transferring them again. */
const minCachedBytes = 4_096

interface PostingsRow extends Row<SearchPosting, 'indexId' | 'lexeme' | 'segment'> {
  bytes: number
  /** `xmin`: the transaction that wrote the row. With the key of the row it identifies this version. */
  version: string
  /** Null if the list is large enough to be cached. */
  postings: Buffer | null
}

/** The bytes of postings that may still be read; reduced by what is read. */
export interface PostingsBudget {
  bytes: number
}

export interface ReadPostings {
  /** Segments, newest first, by `<index id> <lexeme>`. */
  segmentsByKey: Map<string, Postings[]>
  /** Lexemes whose postings exceed the budget: the most frequent ones, which say least about a document. */
  omitted: string[]
}

/** Reads the postings of lexemes, as far as the budget allows. */
export async function readPostings(
  query: Query,
  cache: PostingsCache,
  indexIds: readonly number[],
  lexemes: readonly string[],
  budget: PostingsBudget,
): Promise<ReadPostings> {
  const listed = await readRows(query, indexIds, lexemes, minCachedBytes)
  const omitted = omitMostFrequent(listed, budget)
  let rows = omitted.size === 0 ? listed : listed.filter(({ lexeme }) => !omitted.has(lexeme))
  const large = await readLargePostings(
    query,
    cache,
    rows.filter(({ postings }) => postings === null),
  )
  // A segment merge between the two statements replaced rows: read everything in one statement.
  if (rows.some((row) => row.postings === null && !large.has(cacheKey(row))))
    rows = await readRows(
      query,
      indexIds,
      lexemes.filter((lexeme) => !omitted.has(lexeme)),
      null,
    )
  const segmentsByKey = new Map<string, Postings[]>()
  for (const row of rows) {
    const postings = row.postings === null ? large.get(cacheKey(row)) : decodePostings(row.postings)
    if (postings === undefined) throw new Error('row of search_postings was read without its postings')
    const key = `${row.indexId} ${row.lexeme}`
    const segments = segmentsByKey.get(key)
    if (segments === undefined) segmentsByKey.set(key, [postings])
    else segments.push(postings)
  }
  return { segmentsByKey, omitted: [...omitted] }
}

/** Takes the postings of lexemes from the budget, rarest lexeme first. @returns the lexemes that no longer fit */
function omitMostFrequent(rows: readonly PostingsRow[], budget: PostingsBudget): Set<string> {
  const bytesByLexeme = new Map<string, number>()
  for (const { lexeme, bytes } of rows) bytesByLexeme.set(lexeme, (bytesByLexeme.get(lexeme) ?? 0) + bytes)
  const omitted = new Set<string>()
  for (const [lexeme, bytes] of [...bytesByLexeme].sort(([, a], [, b]) => a - b)) {
    if (bytes > budget.bytes) omitted.add(lexeme)
    else budget.bytes -= bytes
  }
  return omitted
}

/** @param maxBytes leaves out larger postings; null: none */
const readRows = (query: Query, indexIds: readonly number[], lexemes: readonly string[], maxBytes: number | null) =>
  query<PostingsRow>(
    `SELECT index_id, lexeme, segment, xmin::text AS version, octet_length(postings) AS bytes,
            CASE WHEN octet_length(postings) < $3 OR $3 IS NULL THEN postings END AS postings
       FROM search_postings
      WHERE index_id = ANY (${hideFromPlanner('$1::integer[]')}) AND lexeme = ANY (${hideFromPlanner('$2::text[]')})
      ORDER BY index_id, lexeme, segment DESC`,
    [indexIds, lexemes, maxBytes],
    'read_postings',
  )

const cacheKey = ({ indexId, segment, version, lexeme }: PostingsRow) => `${indexId} ${segment} ${version} ${lexeme}`

/** Reads rows through the cache. Rows that no longer exist are left out. */
async function readLargePostings(
  query: Query,
  cache: PostingsCache,
  rows: readonly PostingsRow[],
): Promise<Map<string, Postings>> {
  const found = new Map<string, Postings>()
  const missing: PostingsRow[] = []
  for (const row of rows) {
    const cached = cache.get(cacheKey(row))
    if (cached === undefined) missing.push(row)
    else found.set(cacheKey(row), cached)
  }
  if (missing.length === 0) return found
  const read = await query<PostingsRow>(
    `SELECT found.index_id, found.lexeme, found.segment, found.xmin::text AS version, found.postings
       FROM unnest($1::integer[], $2::text[], $3::integer[]) AS wanted (index_id, lexeme, segment)
      CROSS JOIN LATERAL (
        SELECT xmin, * FROM search_postings AS stored
         WHERE (stored.index_id, stored.lexeme, stored.segment) = (wanted.index_id, wanted.lexeme, wanted.segment) LIMIT 1
      ) AS found`,
    [missing.map(({ indexId }) => indexId), missing.map(({ lexeme }) => lexeme), missing.map(({ segment }) => segment)],
    'read_large_postings',
  )
  for (const row of read) {
    if (row.postings === null) continue
    const postings = decodePostings(row.postings)
    found.set(cacheKey(row), postings)
    cache.set(cacheKey(row), postings)
  }
  return found
}
