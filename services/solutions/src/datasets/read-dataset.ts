import type { Query } from '@wp/database'
import { type Dataset, findValues } from '../store/datasets.ts'
import { findFactRange } from '../store/facts.ts'
import { findReaderGaps } from '../store/reader-gaps.ts'
import { findSpaceNodes } from '../store/spaces.ts'
import { findTeamNodes } from '../store/teams.ts'
import { createMatcher, isElsewhere, type Match } from '../workplace/match-values.ts'
import { datasetView } from './views.ts'

/** Returns the public form of a dataset, with what of its rows is not used and where its readers were silent. */
export async function readDatasetView(query: Query, dataset: Dataset) {
  const { workspaceId, id } = dataset
  const { matchers } = await readMatchers(query, dataset)
  const values = await findValues(query, workspaceId, id)
  const unmapped = (['space', 'team'] as const).flatMap((role) => {
    const own = values.filter((row) => row.role === role)
    return (['none', 'left_out'] as const).flatMap((matchedBy) => {
      const all = own.filter(({ value }) => matchers[role](value).matchedBy === matchedBy)
      const named = `${role}_${matchedBy === 'none' ? 'unmapped' : 'left_out'}`
      const byReason = Map.groupBy(all, ({ value }) =>
        role === 'space' && isElsewhere(dataset, value) ? 'worked_at_home' : named,
      )
      return [...byReason].map(([reason, rows]) => ({
        reason,
        rows: rows.reduce((sum, row) => sum + row.rows, 0),
        example: rows[0]?.value ?? null,
      }))
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
  const unused = unmapped.filter(({ reason }) => dataset.kind === 'people' || !reason.startsWith('team'))
  return datasetView(dataset, { range: await findFactRange(query, workspaceId, id), unmapped: unused, gaps })
}

/** Reads what the values of a dataset are compared with. */
export async function readMatchers(query: Query, dataset: Dataset) {
  const [spaces, teams] = [
    await findSpaceNodes(query, dataset.workspaceId),
    await findTeamNodes(query, dataset.workspaceId),
  ]
  const matchSpace = createMatcher(spaces, dataset.spaceMap)
  const matchers = {
    space: (value: string): Match => {
      const match = matchSpace(value)
      return match.id === null && isElsewhere(dataset, value) ? { id: null, matchedBy: 'left_out' } : match
    },
    team: createMatcher(teams, dataset.teamMap),
  }
  return { candidates: { space: spaces, team: teams }, matchers }
}
