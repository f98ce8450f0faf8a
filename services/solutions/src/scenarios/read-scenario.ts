import { Problem } from '@wp/contracts'
import type { Query } from '@wp/database'
import type { Job } from '@wp/jobs'
import { failure } from '../failure.ts'
import { unpackPaths } from '../runs/workplace/pack-paths.ts'
import { findForecastPaths } from '../store/forecast-paths.ts'
import { countOnce, floorPeople, hasPeople } from './floor-people.ts'
import { NothingToPlan, notAtHome, readBasis } from './read-basis.ts'
import type { ScenarioInput } from './scenario-input.ts'
import type { AskedScenario } from './scenario-job.ts'
import { addNearness } from './scenario-teams.ts'
import type { LeftOutTeams } from './team-share.ts'

/**
 * Reads what a scenario is computed from: the floors in its space, and the teams that sit in it, with their paths; of a
 * forecast of floors, the people who are counted on them.
 * @returns warnings name what is left out
 * @throws JobFailure if nothing can be planned
 */
export const readScenario = (...given: Parameters<typeof read>): ReturnType<typeof read> =>
  read(...given).catch((error: unknown) => {
    throw withoutPointer(error)
  })

/** A site scenario has no request that a pointer could name a field of. */
function withoutPointer(error: unknown): unknown {
  const [field] = error instanceof Problem ? error.errors : []
  if (!(error instanceof Problem) || field === undefined) return error
  const { pointer, detail } = field
  if (/^[A-Z]/.test(detail)) return failure(error instanceof NothingToPlan ? 'no_data' : error.code, detail)
  if (pointer === '/space_id') return failure('not_found', 'The space of the scenario was deleted.')
  return failure(error.code, `The change ${pointer} cannot be followed: ${detail}.`)
}

async function read(
  query: Query,
  workspaceId: string,
  asked: AskedScenario,
  run: Job,
): Promise<{ input: ScenarioInput; warnings: string[]; leftOut: LeftOutTeams }> {
  const rows = await findForecastPaths(query, workspaceId, asked.forecast_run_id)
  const { planned, warnings, leftOut, ...basis } = await readBasis(query, workspaceId, { asked, run, nodes: rows })
  const { spaces, teams, isOfTeams, isWithin, floors, weekdays, weekdaysOf, pathCount } = basis
  const unpacked = await Promise.all(rows.map(async (row) => ({ ...row, paths: await unpackPaths(row) })))
  const within = unpacked.filter(({ node }) => isWithin(node))
  const counted: { node: string; isRemainder: boolean; name?: string; paths: Float32Array }[] = isOfTeams
    ? countOnce(unpacked, teams)
    : floorPeople(within, spaces)
  const keyOf = (id: string, isRemainder: boolean) => `${id} ${isRemainder}`
  const people = new Map(counted.map((row) => [keyOf(row.node, row.isRemainder), row]))
  const placed = planned.flatMap((team) => {
    const own = people.get(keyOf(team.id, team.isRemainder))
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
      weekdayOf: weekdaysOf(placed.filter(hasPeople)),
    },
    warnings,
    leftOut,
  }
}
