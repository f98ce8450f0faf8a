import { Problem, solutions } from '@wp/contracts'
import { newId, type Query } from '@wp/database'
import { cancelJob, enqueue, findExclusiveJob, JobConflict } from '@wp/jobs'
import { type AskedScenario, scenarioQueue } from '../scenarios/scenario-job.ts'
import type { Tx } from '../store/client.ts'
import { type CostedSpace, findCostedSpaces } from '../store/spaces.ts'
import { findTeamNodes, type TeamNode } from '../store/teams.ts'
import { buildTree, pathOf, type Tree } from '../workplace/tree.ts'

/** Reads the sites of which floors may close. */
export const findCandidateSites = async (
  query: Query,
  workspaceId: string,
  forecast: ReadonlySet<string> | null,
): Promise<CandidateSite[]> =>
  pickSites(
    buildTree(await findCostedSpaces(query, workspaceId)),
    buildTree(await findTeamNodes(query, workspaceId)),
    forecast,
  )

/**
 * Starts a scenario for each site with the commit of a forecast of all teams or floors. It replaces that of an earlier
 * forecast which has not ended, so that a site has one at most.
 */
export async function startSiteScenarios(
  tx: Tx,
  { id: runId, workspaceId }: { id: string; workspaceId: string },
  sites: readonly CandidateSite[],
): Promise<void> {
  // In one order, so that two forecasts that end together do not wait for each other.
  for (const site of sites.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    await cancelEarlier(tx, workspaceId, site.id)
    try {
      const input = scenarioOf(site, runId)
      await enqueue(tx, { id: newId('scn'), queue: scenarioQueue, subject: runId, exclusive: site.id, input })
    } catch (error) {
      // Another forecast that ended at the same moment has started one.
      if (!(error instanceof JobConflict)) throw error
    }
  }
}

/** No user waits for it. */
const timeLimitSeconds = 60

function scenarioOf({ id, name }: CandidateSite, runId: string): AskedScenario {
  const {
    metadata: _metadata,
    external_id: _externalId,
    ...defaults
  } = solutions.createScenario.body.parse({
    name: 'Site',
    forecast_run_id: runId,
    space_id: id,
    time_limit_seconds: timeLimitSeconds,
  })
  return { ...defaults, name: `${name}: floors that can close`, trigger: 'forecast' }
}

async function cancelEarlier(tx: Tx, workspaceId: string, siteId: string): Promise<void> {
  const id = await findExclusiveJob(tx.query, { workspaceId, queue: scenarioQueue, exclusive: siteId })
  if (id === undefined) return
  await cancelJob(tx, { workspaceId, queue: scenarioQueue, id }).catch((error: unknown) => {
    // It has ended since it was found.
    if (!(error instanceof Problem && error.code === 'conflict')) throw error
  })
}

/** A site of which floors may close. */
interface CandidateSite {
  id: string
  name: string
}

/** Sites of one forecast. */
const maxSites = 5

/**
 * Returns the outermost spaces of which a floor may close with a saving: with two floors that have places, one of which
 * has costs that end when it is closed, and with a team at home or, of a forecast of floors, without. Of many, those
 * with the most such costs: currencies are not converted, since the order only decides which sites come first.
 * @param forecast the spaces of a forecast of floors, by which sites without a team at home are planned; else null
 */
export function pickSites(
  spaces: Tree<CostedSpace>,
  teams: Tree<TeamNode>,
  forecast: ReadonlySet<string> | null,
): CandidateSite[] {
  const siteOf = (id: string) => pathOf(spaces, id).at(-1)?.id
  const withPlaces = new Set<string>()
  for (const { id, capacity } of spaces.nodes)
    if (capacity !== null && capacity > 0) for (const around of pathOf(spaces, id)) withPlaces.add(around.id)
  const sitesOfTeams = new Set(teams.nodes.map(({ homeSpaceId }) => siteOf(homeSpaceId ?? '')))
  const floors = Map.groupBy(
    spaces.nodes.filter(({ id, kind }) => kind === 'floor' && withPlaces.has(id)),
    ({ id }) => siteOf(id),
  )
  return spaces.nodes
    .filter(({ id, parentId }) => !spaces.positions.has(parentId ?? '') && sitesOfTeams.has(id) === (forecast === null))
    .map(({ id, name }) => ({ id, name, own: floors.get(id) ?? [] }))
    .filter(({ own }) => forecast === null || own.some(({ id }) => forecast.has(id)))
    .map(({ own, ...site }) => ({ ...site, floors: own.length, avoidable: avoidableOf(own) }))
    .filter(({ floors: count, avoidable }) => count > 1 && avoidable > 0)
    .sort((a, b) => b.avoidable - a.avoidable || (a.id < b.id ? -1 : 1))
    .slice(0, maxSites)
    .map(({ id, name }) => ({ id, name }))
}

const avoidableOf = (floors: readonly CostedSpace[]): number =>
  floors.reduce((sum, { annualCost, avoidableShare }) => sum + (annualCost ?? 0) * (avoidableShare ?? 0), 0)
