import type { Query } from '@wp/database'
import { decodePostings, type Postings } from './postings.ts'

/** Caches postings by the key and version of their row; a version never changes. */
export interface PostingsCache {
  get(key: string): Postings | undefined
  set(key: string, postings: Postings): unknown
}

/** Larger posting lists are cached: checking their version costs less than transferring them again. */
const minCachedBytes = 4_096

interface PostingsRow {
  indexId: number
  lexeme: string
  segment: number
  /** `xmin`: the transaction that wrote the row. With the key of the row it identifies this version. */
  version: string
  /** Null if the list is large enough to be cached. */
  postings: Buffer | null
}

/** Reads the postings of lexemes. @returns segments, newest first, by `<index id> <lexeme>` */
export async function readPostings(
  query: Query,
  cache: PostingsCache,
  indexIds: readonly number[],
  lexemes: readonly string[],
): Promise<Map<string, Postings[]>> {
  let rows = await readRows(query, indexIds, lexemes, minCachedBytes)
  const large = await readLargePostings(
    query,
    cache,
    rows.filter(({ postings }) => postings === null),
  )
  // A segment merge between the two statements replaced rows: read everything in one statement.
  if (rows.some((row) => row.postings === null && !large.has(cacheKey(row))))
    rows = await readRows(query, indexIds, lexemes, null)
  const segmentsByKey = new Map<string, Postings[]>()
  for (const row of rows) {
    const postings = row.postings === null ? large.get(cacheKey(row)) : decodePostings(row.postings)
    if (postings === undefined) throw new Error('row of search_postings was read without its postings')
    const key = `${row.indexId} ${row.lexeme}`
    const segments = segmentsByKey.get(key)
    if (segments === undefined) segmentsByKey.set(key, [postings])
    else segments.push(postings)
  }
  return segmentsByKey
}

/** @param maxBytes leaves out larger postings; null: none */
const readRows = (query: Query, indexIds: readonly number[], lexemes: readonly string[], maxBytes: number | null) =>
  query<PostingsRow>(
    `SELECT index_id AS "indexId", lexeme, segment, xmin::text AS version,
            CASE WHEN octet_length(postings) < $3 OR $3 IS NULL THEN postings END AS postings
       FROM search_postings
      WHERE index_id = ANY ($1::integer[]) AND lexeme = ANY ($2::text[]) ORDER BY index_id, lexeme, segment DESC`,
    [indexIds, lexemes, maxBytes],
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
    `SELECT found.index_id AS "indexId", found.lexeme, found.segment, found.xmin::text AS version, found.postings
       FROM unnest($1::integer[], $2::text[], $3::integer[]) AS wanted (index_id, lexeme, segment)
      CROSS JOIN LATERAL (
        SELECT xmin, * FROM search_postings AS stored
         WHERE (stored.index_id, stored.lexeme, stored.segment) = (wanted.index_id, wanted.lexeme, wanted.segment) LIMIT 1
      ) AS found`,
    [missing.map(({ indexId }) => indexId), missing.map(({ lexeme }) => lexeme), missing.map(({ segment }) => segment)],
  )
  for (const row of read) {
    if (row.postings === null) continue
    const postings = decodePostings(row.postings)
    found.set(cacheKey(row), postings)
    cache.set(cacheKey(row), postings)
  }
  return found
}
