import { problem } from '@wp/contracts'
import type { RankedHit } from '../../../store/search/ranked-hits.ts'
import { readRankedHits, type SearchView } from '../../../store/search/search-views.ts'
import type { Ranking } from '../../rank/bm25-ranking.ts'
import { createTopKReader } from '../../rank/top-k.ts'
import type { SearchSession } from '../../session/search-session.ts'
import { type createDocumentFilter, filterBatch } from '../filter/post-filter.ts'
import type { HitReader, ListedHit } from '../hits/collect-hits.ts'

/** The hits of a ranking in order, best first. */
export interface RankedList {
  length: number
  read(start: number, count: number): Promise<readonly RankedHit[]>
}

export const listInMemory = (hits: readonly RankedHit[]): RankedList => ({
  length: hits.length,
  read: async (start, count) => hits.slice(start, start + count),
})

/** Returns the list of a stored view. Reading throws Problem `cursor_expired` once the view is deleted. */
export const listInView = ({ query }: SearchSession, view: SearchView<unknown>): RankedList => ({
  length: view.length,
  async read(start, count) {
    const hits = await readRankedHits(query, view, start, count)
    if (hits === undefined) throw cursorExpired()
    return hits
  },
})

export const cursorExpired = () => problem('cursor_expired')

/** Number of hits that are taken from a ranking without a pause. */
const drainBatch = 1_000

/** Returns the best hits of a ranking, at most so many, in order. */
export async function drainRanking(
  { yieldIfDue }: SearchSession,
  ranking: Ranking,
  maxHits: number,
): Promise<{ document: number; score: number }[]> {
  const readNext = createTopKReader(ranking, Math.min(drainBatch, maxHits))
  const hits: { document: number; score: number }[] = []
  while (hits.length < maxHits) {
    const batch = readNext(Math.min(drainBatch, maxHits - hits.length))
    if (batch.length === 0) break
    for (const document of batch) hits.push({ document, score: ranking.scores[document] ?? 0 })
    await yieldIfDue()
  }
  return hits
}

/**
 * Creates the reader of the hits of a list from a position on.
 * @param filter tests documents; undefined: all pass
 */
export function createHitReader(
  list: RankedList,
  start: number,
  filter: ReturnType<typeof createDocumentFilter> | undefined,
): HitReader {
  let at = start
  const passed: ListedHit[] = []
  async function readMore(count: number): Promise<void> {
    const hits = await list.read(at, filter === undefined ? count : filterBatch)
    const listed = hits.map((hit, nth) => ({ ...hit, position: at + nth }))
    if (filter === undefined) {
      passed.push(...listed)
      at += hits.length
      return
    }
    const page = await filter(listed.flatMap((hit) => ('document' in hit ? [hit.document] : [])))
    passed.push(...page.passed.flatMap(({ position }) => listed[position] ?? []))
    at += page.read
  }
  return async (count) => {
    while (passed.length < count && at < list.length) await readMore(count - passed.length)
    return passed.splice(0, count)
  }
}
