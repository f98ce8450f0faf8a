import type { Query } from '@wp/database'
import { decodePostings, type Postings } from '../../search/index/postings.ts'
import type { PostingsCache } from '../../search/index/postings-cache.ts'

/** Postings beyond this many bytes are kept: to send them again costs more than to ask whether they are still those. */
const minCachedBytes = 4_096

interface PostingsRow {
  indexId: number
  lexeme: string
  segment: number
  /** The transaction that wrote the row, which with its key names this version of it. */
  version: string
  postings: Buffer | null
}

/** All postings of some lexemes, by index and lexeme, the newest segment first. */
export async function readPostings(
  query: Query,
  cache: PostingsCache,
  indexIds: readonly number[],
  lexemes: readonly string[],
): Promise<Map<string, Postings[]>> {
  const rowsBelow = (bytes: number | null) =>
    query<PostingsRow>(
      `SELECT index_id AS "indexId", lexeme, segment, xmin::text AS version,
              CASE WHEN octet_length(postings) < $3 OR $3 IS NULL THEN postings END AS postings
         FROM search_postings
        WHERE index_id = ANY ($1::integer[]) AND lexeme = ANY ($2::text[]) ORDER BY index_id, lexeme, segment DESC`,
      [indexIds, lexemes, bytes],
    )
  let rows = await rowsBelow(minCachedBytes)
  const large = await readLarge(
    query,
    cache,
    rows.filter(({ postings }) => postings === null),
  )
  // Between the two statements some were folded: then all are read by one.
  if (rows.some((row) => row.postings === null && !large.has(versionOf(row)))) rows = await rowsBelow(null)
  const found = new Map<string, Postings[]>()
  for (const row of rows) {
    const postings = row.postings === null ? large.get(versionOf(row)) : decodePostings(row.postings)
    if (postings === undefined) throw new Error('a row of postings was read without them')
    const key = `${row.indexId} ${row.lexeme}`
    const segments = found.get(key)
    if (segments === undefined) found.set(key, [postings])
    else segments.push(postings)
  }
  return found
}

const versionOf = ({ indexId, segment, version, lexeme }: PostingsRow) => `${indexId} ${segment} ${version} ${lexeme}`

async function readLarge(query: Query, cache: PostingsCache, rows: readonly PostingsRow[]) {
  const found = new Map<string, Postings>()
  const missing: PostingsRow[] = []
  for (const row of rows) {
    const kept = cache.get(versionOf(row))
    if (kept === undefined) missing.push(row)
    else found.set(versionOf(row), kept)
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
    found.set(versionOf(row), postings)
    cache.set(versionOf(row), postings)
  }
  return found
}
