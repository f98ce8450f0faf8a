import { type Database, inWorkerTransaction, type Row } from '@wp/database'
import type { SearchIndex } from '#db'

type WorkerPool = Database['worker']

/** An index whose segments are to be merged. */
export interface MergeCandidate extends Row<SearchIndex, 'indexId' | 'workspaceId'> {
  /** The newest segment to merge; writers may append later ones. */
  lastSegment: number
  /** False if it has few new segments, so that a merge is worth its cost only when no more follow. */
  isDue: boolean
}

/** Merges the postings of one lexeme; segments come newest first. Returns an empty buffer to drop the lexeme. */
export type MergePostings = (segments: readonly Buffer[]) => Buffer

/**
 * Lists indexes that have gained 4 segments since their last merge. It is due at 16, and at up to 256 for an index with
 * many merged segments: a merge rewrites the whole index, so large indexes are merged less often.
 */
export async function listMergeCandidates(pool: WorkerPool): Promise<MergeCandidate[]> {
  const { rows } = await pool.query<MergeCandidate>({
    name: 'list_merge_candidates',
    text: `SELECT index_id, workspace_id, segments AS last_segment,
            segments - merged_segments >= least(256, greatest(16, merged_segments / 2)) AS is_due
       FROM search_indexes WHERE segments - merged_segments >= 4 ORDER BY index_id`,
  })
  return rows
}

const maxBatchLexemes = 2_000
const maxBatchBytes = 8 * 1024 * 1024

/**
 * Returns the next lexemes, in order, that have more than one segment.
 * @param after `next` of the previous call; first the empty string
 * @returns `next` is null if there are no more
 */
export async function listSplitLexemes(
  pool: WorkerPool,
  { indexId, lastSegment }: MergeCandidate,
  after: string,
): Promise<{ lexemes: string[]; next: string | null }> {
  const { rows } = await pool.query<{ lexeme: string; bytes: number }>(
    `SELECT lexeme, sum(octet_length(postings))::float AS bytes FROM search_postings
      WHERE index_id = $1 AND lexeme > $2 AND segment <= $3
      GROUP BY lexeme HAVING count(*) > 1 ORDER BY lexeme LIMIT ${maxBatchLexemes}`,
    [indexId, after, lastSegment],
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

/** Replaces the segments of lexemes by one. @returns false if another worker holds the lock of the index */
export async function replaceSegments(
  pool: WorkerPool,
  { indexId, workspaceId, lastSegment }: MergeCandidate,
  lexemes: readonly string[],
  merge: MergePostings,
): Promise<boolean> {
  return inWorkerTransaction(pool, async (client) => {
    const { rows: locks } = await client.query<{ isLocked: boolean }>(
      `SELECT pg_try_advisory_xact_lock(${indexLockKey}, $1) AS is_locked`,
      [indexId],
    )
    if (locks[0]?.isLocked !== true) return false
    const { rows } = await client.query<{ lexeme: string; segment: number; postings: Buffer }>(
      `DELETE FROM search_postings WHERE index_id = $1 AND lexeme = ANY ($2::text[]) AND segment <= $3
       RETURNING lexeme, segment, postings`,
      [indexId, lexemes, lastSegment],
    )
    rows.sort((a, b) => b.segment - a.segment)
    const merged = [...Map.groupBy(rows, ({ lexeme }) => lexeme)]
      .map(([lexeme, segments]) => ({ lexeme, postings: merge(segments.map(({ postings }) => postings)) }))
      .filter(({ postings }) => postings.length > 0)
    await client.query(
      `INSERT INTO search_postings (index_id, lexeme, segment, workspace_id, postings)
       SELECT $1, lexeme, $2, $3, postings FROM unnest($4::text[], $5::bytea[]) AS merged (lexeme, postings)`,
      [indexId, lastSegment, workspaceId, merged.map(({ lexeme }) => lexeme), merged.map(({ postings }) => postings)],
    )
    return true
  })
}

/** Records that all segments up to `lastSegment` are merged. */
export async function recordMerge(pool: WorkerPool, { indexId, lastSegment }: MergeCandidate): Promise<void> {
  await pool.query('UPDATE search_indexes SET merged_segments = greatest(merged_segments, $2) WHERE index_id = $1', [
    indexId,
    lastSegment,
  ])
}

/** First key of the advisory lock of an index; the second key is the index id. */
export const indexLockKey = 5_302_772
