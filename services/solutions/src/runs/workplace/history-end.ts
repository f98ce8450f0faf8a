import type { Query } from '@wp/database'
import { type Dataset, findValuesOf } from '../../store/datasets.ts'
import { findFactRanges } from '../../store/facts.ts'
import { dateOf, dayOf } from '../../workplace/local-days.ts'
import { createMatcher } from '../../workplace/match-values.ts'
import { listNames, pathOf } from '../../workplace/tree.ts'
import type { AskedWorkplace, Scope } from './scope.ts'

/** A dataset that measures spaces of a run. */
export interface MeasuringDataset {
  name: string
  kind: string
  /** Its last day with rows. */
  last: string
  /** Its rows by space. */
  rows: ReadonlyMap<string, number>
}

interface HistoryEnd {
  /** Undefined without a day that is counted. */
  last: string | undefined
  warnings: string[]
  /** Spaces that only a dataset that ended long ago measured, with its last day. */
  retired: ReadonlyMap<string, string>
}

/** A dataset that ended so many days before another one measures nothing any more. */
const retiredDays = 28
/** Days without rows of badges that are no sign of a missing file. */
const longWeekend = 4
/** The share of the rows of a dataset in spaces that later ones measure too, from which these go on with it. */
const continuedShare = 0.9

/** Reads the last day of the history of the spaces or teams of a run, which has ended before today. */
export async function readHistoryEnd(
  query: Query,
  workspaceId: string,
  of: { scope: Scope; datasets: readonly Dataset[]; asked: Pick<AskedWorkplace, 'measure'>; today: string },
): Promise<HistoryEnd> {
  const { scope, datasets, asked, today } = of
  const lastDays = new Map((await findFactRanges(query, workspaceId)).map(({ datasetId, last }) => [datasetId, last]))
  const values = Map.groupBy(await findValuesOf(query, workspaceId, 'space'), ({ datasetId }) => datasetId)
  const inScope = new Set(scope.nodes.map(({ id }) => id))
  const measuring = datasets.flatMap(({ id, name, kind, spaceMap }): MeasuringDataset[] => {
    const last = lastDays.get(id)
    const match = createMatcher(scope.spaces.nodes, spaceMap)
    const rows = new Map<string, number>()
    for (const { value, rows: count } of values.get(id) ?? []) {
      const path = pathOf(scope.spaces, match(value).id ?? '')
      const isOfRun = scope.isTeam ? path.length > 0 : path.some((space) => inScope.has(space.id))
      const [space] = path
      if (isOfRun && space !== undefined) rows.set(space.id, (rows.get(space.id) ?? 0) + Number(count))
    }
    return last === undefined || rows.size === 0 ? [] : [{ name, kind, last, rows }]
  })
  const nameOf = (id: string) => scope.spaces.nodes[scope.spaces.positions.get(id) ?? -1]?.name ?? ''
  return historyEnd(measuring, { ...asked, yesterday: dateOf(dayOf(today) - 1), nameOf })
}

/**
 * Returns the last day that is counted: a file of the next month goes on with the dataset of the months before. A
 * dataset with which none goes on ends the history of all, since later days lack its people. One that ended long ago
 * does not, but what it alone measured has no history.
 */
export function historyEnd(
  datasets: readonly MeasuringDataset[],
  of: Pick<AskedWorkplace, 'measure'> & { yesterday: string; nameOf: (spaceId: string) => string },
): HistoryEnd {
  const { measure, yesterday, nameOf } = of
  const ofKinds = (kinds: readonly string[]) =>
    datasets
      .filter(({ kind }) => kinds.includes(kind))
      .map((one) => ({ ...one, last: earlier(one.last, yesterday) }))
      .toSorted((a, b) => (a.last < b.last ? 1 : -1))
  const measured = ofKinds(['badge_events', 'attendance_days', ...(measure === 'peak' ? ['counts'] : [])])
  const ends = measured.length === 0 && measure === 'peak' ? ofKinds(['bookings']) : measured
  const [latest] = ends
  if (latest === undefined) return { last: undefined, warnings: [], retired: new Map() }
  let last = latest.last
  const warnings: string[] = []
  const retired = new Map<string, string>()
  for (const { name, last: end, rows } of ends.filter((one) => one.last < latest.last)) {
    const later = ends.filter((one) => one.last > end)
    const alone = [...rows].filter(([space]) => !later.some((one) => one.rows.has(space)))
    const sum = (all: Iterable<number>) => [...all].reduce((total, count) => total + count, 0)
    if (sum(alone.map(([, count]) => count)) <= (1 - continuedShare) * sum(rows.values())) continue
    const ended = `The dataset "${name}" ended on ${end}`
    const names = listNames(alone.map(([id]) => nameOf(id)))
    if (dayOf(end) < dayOf(latest.last) - retiredDays) {
      for (const [space] of alone) retired.set(space, end)
      warnings.push(
        `${ended}, and no later file measures ${names}: later days lack its people. Add its later rows to include them.`,
      )
    } else {
      last = earlier(end, last)
      if (dayOf(latest.last) - dayOf(end) <= longWeekend) continue
      warnings.push(
        `${ended}, and so does the history: no later file measures ${names}. Days until ` +
          `${latest.last} are counted: add its later rows to forecast from there.`,
      )
    }
  }
  return { last, warnings, retired }
}

const earlier = (a: string, b: string): string => [a, b].sort()[0] ?? a
