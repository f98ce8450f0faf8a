import type { Query } from '@wp/database'
import type { Job } from '@wp/jobs'
import { failure } from '../failure.ts'
import { unpackPaths } from '../runs/workplace/pack-paths.ts'
import { findForecastPaths } from '../store/forecast-paths.ts'
import { countOnce, floorPeople } from './floor-people.ts'
import { notAtHome, readBasis } from './read-basis.ts'
import type { ScenarioInput } from './scenario-input.ts'
import type { AskedScenario } from './scenario-job.ts'
import { addNearness } from './scenario-teams.ts'

/**
 * Reads what a scenario is computed from: the floors in its space, and the teams that sit in it, with their paths; of a
 * forecast of floors, the people who are counted on them.
 * @returns warnings name what is left out
 * @throws Problem or JobFailure if nothing can be planned
 */
export async function readScenario(
  query: Query,
  workspaceId: string,
  asked: AskedScenario,
  run: Job,
): Promise<{ input: ScenarioInput; warnings: string[] }> {
  const rows = await findForecastPaths(query, workspaceId, asked.forecast_run_id)
  const { planned, warnings, ...basis } = await readBasis(query, workspaceId, { asked, run, nodes: rows })
  const { spaces, teams, isOfTeams, isWithin, floors, weekdays, weekdayOf, pathCount } = basis
  const unpacked = await Promise.all(rows.map(async (row) => ({ ...row, paths: await unpackPaths(row) })))
  const within = unpacked.filter(({ node }) => isWithin(node))
  const counted: { node: string; isRemainder: boolean; name?: string; paths: Float32Array }[] = isOfTeams
    ? countOnce(unpacked, teams)
    : floorPeople(within, spaces)
  const placed = planned.flatMap((team) => {
    const own = counted.find(({ node, isRemainder }) => node === team.id && isRemainder === team.isRemainder)
    return own === undefined ? [] : [{ ...team, name: own.name ?? team.name, paths: own.paths }]
  })
  if (placed.length === 0) throw failure('no_data', notAtHome)
  addNearness(placed, teams)
  return {
    input: {
      objective: asked.objective,
      serviceLevel: asked.service_level,
      seconds: asked.time_limit_seconds,
      weekdays,
      floors,
      teams: placed,
      pathCount,
      weekdayOf,
    },
    warnings,
  }
}
