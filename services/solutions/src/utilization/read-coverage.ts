import type { Query } from '@wp/database'
import type { Db } from '../store/client.ts'
import { findAllDatasets, findAllValues } from '../store/datasets.ts'
import { findReaderGaps, type NamedGap } from '../store/reader-gaps.ts'
import type { SpaceNode } from '../store/spaces.ts'
import { dateOf, dayOf } from '../workplace/local-days.ts'
import { createMatcher } from '../workplace/match-values.ts'
import { pathOf, type Tree } from '../workplace/tree.ts'

/** Reads which readers were silent. Of a space, the readers in it and in all spaces in it count. */
export async function readCoverage(
  db: Db,
  query: Query,
  workspaceId: string,
  tree: Tree<SpaceNode>,
  { since, until }: { since: string; until: string },
) {
  const datasets = (await findAllDatasets(db, workspaceId)).filter(
    ({ kind }) => kind === 'badge_events' || kind === 'counts',
  )
  const values = await findAllValues(query, workspaceId)
  const readers = new Map<string, number>()
  const matchers = new Map(datasets.map(({ id, spaceMap }) => [id, createMatcher(tree.nodes, spaceMap)]))
  const spaceOf = (datasetId: string, value: string) => matchers.get(datasetId)?.(value).id ?? null
  const add = (sums: Map<string, number>, spaceId: string | null) => {
    for (const { id } of spaceId === null ? [] : pathOf(tree, spaceId)) sums.set(id, (sums.get(id) ?? 0) + 1)
  }
  for (const { datasetId, role, value, rows } of values)
    if (role === 'space' && rows > 0) add(readers, spaceOf(datasetId, value))
  const gaps = (await findReaderGaps(query, workspaceId))
    .filter((gap) => gap.since < until && gap.until > since)
    .map((gap) => ({ ...gap, spaceId: spaceOf(gap.datasetId, gap.value) }))
  const isWithin = (spaceId: string | null, id: string) =>
    spaceId !== null && pathOf(tree, spaceId).some((node) => node.id === id)
  return {
    coverageOf: (id: string) => {
      const own = gaps.filter(({ spaceId }) => isWithin(spaceId, id))
      const all = readers.get(id) ?? 0
      return (day: string) => {
        const silent = own.filter((gap) => gap.since <= day && day < gap.until).length
        return all === 0 ? 1 : (all - silent) / all
      }
    },
    warnings: (id: string) => {
      const own = gaps.filter(({ spaceId }) => isWithin(spaceId, id))
      const bySpan = Map.groupBy(own, ({ since, until }) => `${since} ${until}`)
      return [...bySpan.values()].map((same) => silenceOf(same, readers.get(id) ?? 0))
    },
  }
}

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
  return `${who} had ${data} ${days}, where about ${usual} rows are usual: ${reason}figures of these days are too low.`
}
