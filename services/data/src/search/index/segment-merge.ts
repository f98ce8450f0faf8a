import type { Database } from '@wp/database'
import type { Schedule } from '@wp/jobs/background'
import { jitteredMs, type PassResult } from '@wp/runtime'
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
 * Returns the schedule that merges the segments of search indexes, so that a search reads few rows per lexeme: those of
 * an index that is written now and then, and once it rests. Writers may append segments during a merge. An interrupted
 * merge is continued by a later pass, in any replica.
 */
export function segmentMergeSchedule({ database }: { database: Pick<Database, 'worker'> }): Schedule {
  /** Number of passes in a row that found an index with the same segments. */
  let restingPasses = new Map<string, number>()

  async function pass(signal: AbortSignal): Promise<PassResult> {
    const candidates = await listMergeCandidates(database.worker)
    const keyOf = ({ indexId, lastSegment }: MergeCandidate) => `${indexId} ${lastSegment}`
    restingPasses = new Map(candidates.map(keyOf).map((key) => [key, (restingPasses.get(key) ?? 0) + 1]))
    const isAtRest = (index: MergeCandidate) => (restingPasses.get(keyOf(index)) ?? 0) >= passesUntilRest(index)
    for (const index of candidates.filter((candidate) => candidate.isDue || isAtRest(candidate)))
      if (await mergeIndex(database.worker, index, signal)) await recordMerge(database.worker, index)
    return candidates.length === 0 ? jitteredMs(idlePauseMs, Math.random()) : 'idle'
  }
  return { name: 'search index segment merge', everyMs: 2_000, pass }
}

/** Pause while no index has segments to merge: a search reads those that are written in it, a row more each. */
const idlePauseMs = 10_000

/** Passes without a new segment after which an index rests: from 10 s to 10 minutes, because a merge rewrites it. */
const passesUntilRest = ({ lastSegment }: MergeCandidate): number => Math.min(400, Math.max(8, lastSegment / 8))

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
