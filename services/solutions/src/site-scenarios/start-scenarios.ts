import { Problem, solutions } from '@wp/contracts'
import { newId, type Query } from '@wp/database'
import { cancelJob, enqueue, findExclusiveJob, JobConflict } from '@wp/jobs'
import { type AskedScenario, scenarioQueue } from '../scenarios/scenario-job.ts'
import type { Tx } from '../store/client.ts'
import { findCostedSpaces } from '../store/spaces.ts'
import { findTeamNodes } from '../store/teams.ts'
import { buildTree } from '../workplace/tree.ts'
import { type CandidateSite, pickSites } from './pick-sites.ts'

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
 * Starts a scenario for each site with the commit of a forecast of all teams or floors. It replaces the one of an earlier
 * forecast that has not ended, so that a site has one at most.
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
