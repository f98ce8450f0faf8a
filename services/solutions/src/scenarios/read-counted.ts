import type { Query } from '@wp/database'
import { findSpaceNodes } from '../store/spaces.ts'
import { findShownAttendance } from '../store/utilization.ts'
import { effectiveValues } from '../workplace/inherit.ts'
import { dateOf, dayOf } from '../workplace/local-days.ts'
import { buildTree, fullName, pathOf } from '../workplace/tree.ts'
import { comparedWeeks } from './team-share.ts'

/**
 * Reads the people who were counted in the space of a scenario in the weeks before its forecast; without a space, in
 * the outermost ones.
 * @returns the space beside it; null without one
 */
export async function readCounted(query: Query, workspaceId: string, spaceId: string | null, historyUntil: string) {
  const spaces = buildTree(await findSpaceNodes(query, workspaceId))
  const path = pathOf(spaces, spaceId ?? '')
  const roots = spaces.nodes.filter((_, at) => spaces.parents[at] === -1)
  const until = dayOf(historyUntil) + 1
  const counted = await findShownAttendance(
    query,
    workspaceId,
    path[0] === undefined ? roots.map(({ id }) => id) : [path[0].id],
    { since: dateOf(until - 7 * comparedWeeks), until: dateOf(until) },
  )
  const site =
    path[0] === undefined
      ? null
      : {
          id: path[0].id,
          name: fullName(path),
          timezone: effectiveValues(path).timezone,
        }
  return { counted, site }
}
