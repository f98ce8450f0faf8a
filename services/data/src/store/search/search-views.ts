import { randomUUID } from 'node:crypto'
import type { Database, Query } from '@wp/database'
import type { RetentionRule } from '@wp/jobs/background'
import { decodeRankedHits, type EntryKind, encodeRankedHits, entryBytes, type RankedHit } from './ranked-hits.ts'

/** The parts of a view that every page needs. */
export interface SearchView<Ranking> {
  viewId: string
  /** The ends of the record ids of the first page. */
  firstHits: string
  /** Time of the first page. */
  seenAt: Date
  /** Number of ranked hits. */
  length: number
  ranking: Ranking & { kind: EntryKind }
}

/** A cursor is valid for this time, unless the workspace begins so many searches that views exceed the size. */
const [maxAgeMinutes, maxWorkspaceBytes] = [60, 16 * 1024 * 1024]

/**
 * Stores the ranked hits of a search. The oldest views of the workspace are deleted if all together exceed 16 MiB.
 * @returns the id of the view
 */
export async function saveSearchView<Ranking>(
  pool: Database['worker'],
  workspaceId: string,
  view: Pick<SearchView<Ranking>, 'firstHits' | 'seenAt' | 'ranking'>,
  hits: readonly RankedHit[],
): Promise<string> {
  const viewId = randomUUID()
  const entries = encodeRankedHits(view.ranking.kind, hits)
  await pool.query(saveSql, [
    viewId,
    workspaceId,
    view.firstHits,
    view.seenAt,
    entries,
    entries.length,
    JSON.stringify(view.ranking),
  ])
  return viewId
}

const saveSql = `
  WITH oldest AS (
    DELETE FROM search_views WHERE view_id IN (
      SELECT view_id FROM (
        SELECT view_id, created_at, sum(bytes) OVER (ORDER BY created_at DESC, view_id) AS newer_bytes
          FROM search_views WHERE workspace_id = $2
      ) AS known
       WHERE newer_bytes + $6 > ${maxWorkspaceBytes} OR created_at < now() - interval '${maxAgeMinutes} minutes')
  )
  INSERT INTO search_views (view_id, workspace_id, first_hits, seen_at, hits, bytes, ranking)
  VALUES ($1, $2, $3, $4, $5, $6, $7)`

/** Returns a view of the workspace without its hits; undefined if it has expired. */
export async function findSearchView<Ranking>(
  query: Query,
  workspaceId: string,
  viewId: string,
): Promise<SearchView<Ranking> | undefined> {
  const [view] = await query<Omit<SearchView<Ranking>, 'length'> & { bytes: number }>(
    `SELECT view_id, first_hits, seen_at, bytes, ranking FROM search_views
      WHERE workspace_id = $1 AND view_id = $2 AND created_at >= now() - interval '${maxAgeMinutes} minutes'`,
    [workspaceId, viewId],
    'find_search_view',
  )
  if (view === undefined) return undefined
  const { bytes, ...others } = view
  return { ...others, length: bytes / entryBytes[view.ranking.kind] }
}

/** Deletes the views of a workspace, which hold numbers of records that are restricted from now on. */
export async function deleteSearchViews(query: Query, workspaceId: string): Promise<void> {
  await query('DELETE FROM search_views WHERE workspace_id = $1', [workspaceId])
}

/** Reads consecutive hits of a view. Returns undefined if the view has expired. */
export async function readRankedHits(
  query: Query,
  { viewId, ranking: { kind } }: Pick<SearchView<unknown>, 'viewId' | 'ranking'>,
  start: number,
  count: number,
): Promise<RankedHit[] | undefined> {
  const size = entryBytes[kind]
  const [part] = await query<{ entries: Buffer }>(
    `SELECT substring(hits FROM $2::integer FOR $3::integer) AS entries FROM search_views WHERE view_id = $1`,
    [viewId, start * size + 1, count * size],
    'read_ranked_hits',
  )
  return part && decodeRankedHits(kind, part.entries)
}

/** Retention of the rankings of searches, until their cursors have expired. */
export const viewRetention: RetentionRule = {
  table: 'search_views',
  column: 'created_at',
  period: `${maxAgeMinutes} minutes`,
  batchRows: 200,
  everyMs: 60_000,
}
