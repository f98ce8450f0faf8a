import type { Query } from '@wp/database'
import { type Dataset, findValues } from '../store/datasets.ts'
import { findFactRange } from '../store/facts.ts'
import { findReaderGaps } from '../store/reader-gaps.ts'
import { findSpaceNodes } from '../store/spaces.ts'
import { findTeamNodes } from '../store/teams.ts'
import { createMatcher } from '../workplace/match-values.ts'
import { datasetView } from './views.ts'

/** Returns the public form of a dataset, with what of its rows is not used and where its readers were silent. */
export async function readDatasetView(query: Query, dataset: Dataset) {
  const { workspaceId, id } = dataset
  const { matchers } = await readMatchers(query, dataset)
  const values = await findValues(query, workspaceId, id)
  const unmapped = (['space', 'team'] as const).flatMap((role) => {
    const own = values.filter((row) => row.role === role)
    return (['none', 'left_out'] as const).flatMap((matchedBy) => {
      const rows = own.filter(({ value }) => matchers[role](value).matchedBy === matchedBy)
      const [first] = rows
      if (first === undefined) return []
      const reason = `${role}_${matchedBy === 'none' ? 'unmapped' : 'left_out'}`
      return [{ reason, rows: rows.reduce((sum, row) => sum + row.rows, 0), example: first.value }]
    })
  })
  const gaps = (await findReaderGaps(query, workspaceId, id)).map(({ value, since, until, expectedRows }) => ({
    value,
    space_id: matchers.space(value).id,
    since,
    until,
    expected_rows: expectedRows,
  }))
  // A team that is not known does not make a row of a swipe useless.
  const unused = unmapped.filter(({ reason }) => dataset.kind === 'people' || reason.startsWith('space'))
  return datasetView(dataset, { range: await findFactRange(query, workspaceId, id), unmapped: unused, gaps })
}

/** Reads what the values of a dataset are compared with. */
export async function readMatchers(query: Query, dataset: Dataset) {
  const [spaces, teams] = [
    await findSpaceNodes(query, dataset.workspaceId),
    await findTeamNodes(query, dataset.workspaceId),
  ]
  return {
    candidates: { space: spaces, team: teams },
    matchers: { space: createMatcher(spaces, dataset.spaceMap), team: createMatcher(teams, dataset.teamMap) },
  }
}
