import type { Query } from '@wp/database'
import type { Db } from '../store/client.ts'
import { findAllDatasets, findAllValues } from '../store/datasets.ts'
import { findReaderGaps, type NamedGap } from '../store/reader-gaps.ts'
import type { SpaceNode } from '../store/spaces.ts'
import { dateOf, dayOf } from '../workplace/local-days.ts'
import { createMatcher } from '../workplace/match-values.ts'
import { pathOf, type Tree } from '../workplace/tree.ts'
import type { ShownDay } from './shown-day.ts'

/**
 * Reads which readers were silent. Of a space, the readers in it and in all spaces in it count; to the coverage of a
 * day, those of the measures that its figures come from, so that the counter of a room is none of a floor with badge
 * readers.
 *
 * @param longestGap the days after which a silent reader counts as taken away
 */
export async function readCoverage(
  db: Db,
  query: Query,
  workspaceId: string,
  tree: Tree<SpaceNode>,
  { since, until, longestGap = Infinity }: { since: string; until: string; longestGap?: number },
) {
  const datasets = (await findAllDatasets(db, workspaceId)).filter(
    ({ kind }) => kind === 'badge_events' || kind === 'counts',
  )
  const values = await findAllValues(query, workspaceId)
  const kinds = new Map(datasets.map(({ id, kind }) => [id, kind]))
  // A reader that several files have, such as one of each month, is one.
  const readers = new Map<string, Map<string, Set<string>>>()
  const matchers = new Map(datasets.map(({ id, spaceMap }) => [id, createMatcher(tree.nodes, spaceMap)]))
  const spaceOf = (datasetId: string, value: string) => matchers.get(datasetId)?.(value).id ?? null
  const add = (kind: string, spaceId: string | null, value: string) => {
    for (const { id } of spaceId === null ? [] : pathOf(tree, spaceId)) {
      const ofSpace = readers.get(id) ?? new Map<string, Set<string>>()
      readers.set(id, ofSpace.set(kind, (ofSpace.get(kind) ?? new Set()).add(`${spaceId} ${value}`)))
    }
  }
  for (const { datasetId, role, value, rows } of values)
    if (role === 'space' && rows > 0) add(kinds.get(datasetId) ?? '', spaceOf(datasetId, value), value)
  const gaps = (await findReaderGaps(query, workspaceId))
    .filter((gap) => gap.since < until && gap.until > since && dayOf(gap.until) - dayOf(gap.since) <= longestGap)
    .map((gap) => ({ ...gap, spaceId: spaceOf(gap.datasetId, gap.value) }))
  const isWithin = (spaceId: string | null, id: string) =>
    spaceId !== null && pathOf(tree, spaceId).some((node) => node.id === id)
  return {
    coverageOf: (id: string) => {
      const own = gaps.filter(({ spaceId }) => isWithin(spaceId, id))
      return ({ day, source, attendanceSource }: Measured) => {
        const used: (string | null)[] = [...new Set([source, attendanceSource])]
        const all = used.reduce((sum, kind) => sum + (readers.get(id)?.get(kind ?? '')?.size ?? 0), 0)
        const silent = own.filter(
          (gap) => gap.since <= day && day < gap.until && used.includes(kinds.get(gap.datasetId) ?? null),
        )
        return all === 0 ? 1 : (all - onePerReader(silent, kinds).length) / all
      }
    },
    warnings: (id: string) => {
      const own = gaps.filter(({ spaceId }) => isWithin(spaceId, id))
      const bySpan = Map.groupBy(own, ({ since, until }) => `${since} ${until}`)
      const all = [...(readers.get(id)?.values() ?? [])].reduce((sum, ofKind) => sum + ofKind.size, 0)
      return [...bySpan.values()].map((same) => silenceOf(onePerReader(same, kinds), all))
    },
  }
}

/** Returns one of the gaps of each reader. */
const onePerReader = <Gap extends NamedGap & { spaceId: string | null }>(
  gaps: readonly Gap[],
  kinds: ReadonlyMap<string, string>,
): Gap[] => [
  ...new Map(gaps.map((gap) => [`${kinds.get(gap.datasetId)} ${gap.spaceId} ${gap.value}`, gap] as const)).values(),
]

/** A day with the measures of its figures. */
type Measured = Pick<ShownDay, 'day' | 'source' | 'attendanceSource'>

/** Describes the readers that were silent on the same days. */
function silenceOf(gaps: readonly NamedGap[], readers: number): string {
  const [{ value, since, until } = { value: '', since: '', until: '' }] = gaps
  const lastDay = dateOf(dayOf(until) - 1)
  const days = since === lastDay ? `on ${since}` : `from ${since} to ${lastDay}`
  const usual = gaps.reduce((sum, { expectedRows }) => sum + expectedRows, 0)
  const who =
    gaps.length === 1
      ? `The reader "${value}"`
      : gaps.length < readers
        ? `${gaps.length} of ${readers} readers`
        : 'No reader'
  const data = who === 'No reader' ? 'data' : 'no data'
  const reason = gaps.length === readers ? 'unless the space was closed, ' : ''
  return `${who} had ${data} ${days}, where about ${usual.toLocaleString('en')} rows are usual: ${reason}figures of these days are too low.`
}
