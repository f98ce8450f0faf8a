import type { Database } from '@wp/database'
import { inWorkerTransaction } from '../worker-transaction.ts'

type WorkerPool = Database['worker']

/** An index and how far it is to be folded. */
export interface MergeCandidate {
  indexId: number
  workspaceId: string
  /** The last segment there was. */
  lastSegment: number
}

/** Makes one of a lexeme's postings, the newest segment first. */
export type MergePostings = (segments: readonly Buffer[]) => Buffer

/**
 * Indexes with many segments since they were last folded: the more were folded before, the longer it pays to wait, as
 * folding writes everything anew.
 */
export async function listMergeCandidates(pool: WorkerPool): Promise<MergeCandidate[]> {
  const { rows } = await pool.query<MergeCandidate>(
    `SELECT index_id AS "indexId", workspace_id AS "workspaceId", segments AS "lastSegment" FROM search_indexes
      WHERE segments - folded >= least(256, greatest(16, folded / 2)) ORDER BY index_id`,
  )
  return rows
}

const maxBatchLexemes = 2_000
const maxBatchBytes = 8 * 1024 * 1024

/**
 * The next lexemes, in order, that lie in several segments, and where to go on; null when there are no more.
 * @param after `next` of the call before; first the empty text
 */
export async function listSplitLexemes(
  pool: WorkerPool,
  { indexId, lastSegment: until }: MergeCandidate,
  after: string,
): Promise<{ lexemes: string[]; next: string | null }> {
  const { rows } = await pool.query<{ lexeme: string; bytes: number }>(
    `SELECT lexeme, sum(octet_length(postings))::float AS bytes FROM search_postings
      WHERE index_id = $1 AND lexeme > $2 AND segment <= $3
      GROUP BY lexeme HAVING count(*) > 1 ORDER BY lexeme LIMIT ${maxBatchLexemes}`,
    [indexId, after, until],
  )
  let bytes = 0
  const lexemes: string[] = []
  for (const row of rows) {
    bytes += row.bytes
    if (bytes > maxBatchBytes && lexemes.length > 0) break
    lexemes.push(row.lexeme)
  }
  const isLast = lexemes.length === rows.length && rows.length < maxBatchLexemes
  return { lexemes, next: isLast ? null : (lexemes.at(-1) ?? null) }
}

/** @returns false when somebody else has the index in hand */
export async function replaceSegments(
  pool: WorkerPool,
  { indexId, workspaceId, lastSegment: until }: MergeCandidate,
  lexemes: readonly string[],
  merge: MergePostings,
): Promise<boolean> {
  return inWorkerTransaction(pool, async (client) => {
    const { rows: turns } = await client.query<{ mine: boolean }>(
      `SELECT pg_try_advisory_xact_lock(${indexLockKey}, $1) AS mine`,
      [indexId],
    )
    if (turns[0]?.mine !== true) return false
    const { rows } = await client.query<{ lexeme: string; segment: number; postings: Buffer }>(
      `DELETE FROM search_postings WHERE index_id = $1 AND lexeme = ANY ($2::text[]) AND segment <= $3
       RETURNING lexeme, segment, postings`,
      [indexId, lexemes, until],
    )
    rows.sort((one, other) => other.segment - one.segment)
    const merged = [...Map.groupBy(rows, ({ lexeme }) => lexeme)]
      .map(([lexeme, segments]) => ({ lexeme, postings: merge(segments.map(({ postings }) => postings)) }))
      .filter(({ postings }) => postings.length > 0)
    await client.query(
      `INSERT INTO search_postings (index_id, lexeme, segment, workspace_id, postings)
       SELECT $1, lexeme, $2, $3, postings FROM unnest($4::text[], $5::bytea[]) AS merged (lexeme, postings)`,
      [indexId, until, workspaceId, merged.map(({ lexeme }) => lexeme), merged.map(({ postings }) => postings)],
    )
    return true
  })
}

export async function recordMerge(pool: WorkerPool, { indexId, lastSegment: until }: MergeCandidate): Promise<void> {
  await pool.query('UPDATE search_indexes SET folded = greatest(folded, $2) WHERE index_id = $1', [indexId, until])
}

/** The first half of the advisory locks of indexes; the second is the index. */
export const indexLockKey = 5_302_772
