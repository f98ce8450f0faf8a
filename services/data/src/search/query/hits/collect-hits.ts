import type { HitRow } from '../../../store/search/hit-rows.ts'
import type { RankedHit } from '../../../store/search/ranked-hits.ts'
import type { ShownRow } from './hit.ts'

/** A ranked hit, and its position in the list of hits that it comes from. */
export type ListedHit = RankedHit & { position: number }

/** A hit with what it shows. */
export interface CollectedHit {
  hit: ListedHit
  score: number
  row: ShownRow & Pick<HitRow, 'readAt'>
}

/** Reads what hits show. Hits that cannot be shown, such as deleted records, are left out. */
export type RowReader = (hits: readonly ListedHit[]) => Promise<CollectedHit[]>

/** Reads the next hits of a list, at most so many; none at its end. */
export type HitReader = (count: number) => Promise<ListedHit[]> | ListedHit[]

/** Reads up to `wanted` hits. Those that cannot be shown are replaced by the next ones. */
export async function collectHits(wanted: number, readNext: HitReader, readRows: RowReader): Promise<CollectedHit[]> {
  const hits: CollectedHit[] = []
  // The data of a page has a maximum size, which the last row exceeds.
  while (hits.length < wanted && hits.at(-1)?.row.isBeyondPage !== true) {
    const batch = await readNext(wanted - hits.length)
    if (batch.length === 0) break
    hits.push(...(await readRows(batch)))
  }
  return hits
}
