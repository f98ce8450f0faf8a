import { type Log, createLoop, type Worker } from '@wp/runtime'
import type { Database } from '@wp/database'
import {
  listMergeCandidates,
  listSplitLexemes,
  type MergePostings,
  recordMerge,
  replaceSegments,
} from '../../store/search/segment-merge.ts'
import { decodePostings, encodePostings, mergeSegments } from './postings.ts'

interface SegmentMergerOptions {
  database: Pick<Database, 'worker'>
  log: Log
  /** Default 2,000. */
  pollMs?: number
}

/**
 * Folds the segments of indexes, so that a search reads few rows of a lexeme: what many batches say of it becomes one
 * row, in which what was overruled is gone. Writers append meanwhile. Stopped anywhere, a later pass goes on.
 */
export function createSegmentMerger({ database, log, pollMs: everyMs = 2_000 }: SegmentMergerOptions): Worker {
  async function pass(signal: AbortSignal): Promise<'more' | 'idle'> {
    for (const index of await listMergeCandidates(database.worker)) {
      let isOurs = true
      for (let after: string | null = ''; after !== null && isOurs; ) {
        if (signal.aborted) return 'idle'
        const { lexemes, next } = await listSplitLexemes(database.worker, index, after)
        isOurs = lexemes.length === 0 || (await replaceSegments(database.worker, index, lexemes, mergePostings))
        after = next
      }
      if (isOurs) await recordMerge(database.worker, index)
    }
    return 'idle'
  }
  return createLoop({ name: 'fold of the search index', pass, pollMs: everyMs, log })
}

const mergePostings: MergePostings = (segments) => encodePostings(mergeSegments(segments.map(decodePostings)))
