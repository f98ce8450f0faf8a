import type { Database, Log } from '@wp/database'
import { createLoop, type Worker } from '@wp/events'
import { listFoldable, type Merge, noteFolded, replaceSegments, splitLexemes } from '../store/fold.ts'
import { decodePostings, encodePostings, newestOf } from './postings.ts'

interface FoldOptions {
  database: Pick<Database, 'worker'>
  log: Log
  /** Default 2,000. */
  everyMs?: number
}

/**
 * Folds the segments of indexes, so that a search reads few rows of a lexeme: what many batches say of it becomes one
 * row, in which what was overruled is gone. Writers append meanwhile. Stopped anywhere, a later pass goes on.
 */
export function createFold({ database, log, everyMs = 2_000 }: FoldOptions): Worker {
  async function pass(signal: AbortSignal): Promise<'more' | 'idle'> {
    for (const index of await listFoldable(database.worker)) {
      let isOurs = true
      for (let after: string | null = ''; after !== null && isOurs; ) {
        if (signal.aborted) return 'idle'
        const { lexemes, next } = await splitLexemes(database.worker, index, after)
        isOurs = lexemes.length === 0 || (await replaceSegments(database.worker, index, lexemes, merge))
        after = next
      }
      if (isOurs) await noteFolded(database.worker, index)
    }
    return 'idle'
  }
  return createLoop({ name: 'fold of the search index', pass, pollMs: everyMs, log })
}

const merge: Merge = (segments) => encodePostings(newestOf(segments.map(decodePostings)))
