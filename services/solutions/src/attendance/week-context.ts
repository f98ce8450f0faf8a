import type { Query } from '@wp/database'
import type { Db } from '../store/client.ts'
import { findAllDatasets, findAllValues } from '../store/datasets.ts'
import { findFactRanges } from '../store/facts.ts'
import { findSpaceNodes } from '../store/spaces.ts'
import { findTeamNodes } from '../store/teams.ts'
import { effectiveValues } from '../workplace/inherit.ts'
import { dayOf } from '../workplace/local-days.ts'
import { createMatcher } from '../workplace/match-values.ts'
import { buildTree, pathOf, type Tree } from '../workplace/tree.ts'
import type { MappedDataset, WeekContext } from './counting/measures.ts'

export async function loadWeekContext(db: Db, query: Query, workspaceId: string): Promise<WeekContext> {
  const spaces = buildTree(await findSpaceNodes(query, workspaceId))
  const teams = buildTree(await findTeamNodes(query, workspaceId))
  const values = Map.groupBy(await findAllValues(query, workspaceId), ({ datasetId }) => datasetId)
  const ranges = new Map(
    (await findFactRanges(query, workspaceId)).map(({ datasetId, first, last }) => [
      datasetId,
      { first: dayOf(first), last: dayOf(last) },
    ]),
  )
  const datasets = (await findAllDatasets(db, workspaceId)).map((dataset): MappedDataset => {
    const [toSpace, toTeam] = [
      createMatcher(spaces.nodes, dataset.spaceMap),
      createMatcher(teams.nodes, dataset.teamMap),
    ]
    const own = values.get(dataset.id) ?? []
    const positions = (role: string, match: typeof toSpace, tree: Tree) =>
      new Map(
        own
          .filter((row) => row.role === role && row.rows > 0)
          .map((row) => [row.valueId, tree.positions.get(match(row.value).id ?? '') ?? -1]),
      )
    return {
      dataset,
      range: ranges.get(dataset.id) ?? null,
      spaceOf: positions('space', toSpace, spaces),
      teamOf: positions('team', toTeam, teams),
      uses: dataset.uses,
    }
  })
  return {
    spaces,
    teams,
    datasets,
    openingHours: spaces.nodes.map(({ id }) => effectiveValues(pathOf(spaces, id)).openingHours),
    homeOf: Int32Array.from(teams.nodes, ({ homeSpaceId }) => spaces.positions.get(homeSpaceId ?? '') ?? -1),
  }
}
