import type { Database } from '@wp/database'
import type { Schedule } from '@wp/jobs/background'
import { decodePostings, encodePostings } from '../../store/search/postings.ts'
import {
  listMergeCandidates,
  listSplitLexemes,
  type MergeCandidate,
  type MergePostings,
  recordMerge,
  replaceSegments,
} from '../../store/search/segment-merge.ts'
import { mergeSegments } from './merge-segments.ts'

/**
 * Returns the schedule that merges the segments of search indexes, so that a search reads few rows per lexeme. Writers
 * may append segments during a merge. An interrupted merge is continued by a later pass, in any replica.
 */
export function segmentMergeSchedule({ database }: { database: Pick<Database, 'worker'> }): Schedule {
  async function pass(signal: AbortSignal): Promise<'idle'> {
    for (const index of await listMergeCandidates(database.worker))
      if (await mergeIndex(database.worker, index, signal)) await recordMerge(database.worker, index)
    return 'idle'
  }
  return { name: 'search index segment merge', everyMs: 2_000, pass }
}

/** Merges all lexemes of an index. @returns false if it was aborted or another worker merges the index */
async function mergeIndex(pool: Database['worker'], index: MergeCandidate, signal: AbortSignal): Promise<boolean> {
  for (let after: string | null = ''; after !== null; ) {
    if (signal.aborted) return false
    const { lexemes, next } = await listSplitLexemes(pool, index, after)
    if (lexemes.length > 0 && !(await replaceSegments(pool, index, lexemes, mergePostings))) return false
    after = next
  }
  return true
}

const mergePostings: MergePostings = (segments) => encodePostings(mergeSegments(segments.map(decodePostings)))
