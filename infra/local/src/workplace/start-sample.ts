import { createClient } from '@wp/client'
import { describeError } from '../demo-error.ts'
import type { LocalFleet, StartContext } from '../fleet.ts'
import { loadSample } from './load-sample.ts'
import { findUnplannedSite, planSample } from './plan-sample.ts'
import { chooseSampleSize, writeSampleCompany } from './sample-company.ts'
import { findSampleDataset } from './sample-ids.ts'

/**
 * Loads the made company into the first workspace, with forecasts and a daily plan. A sample that is already there
 * stays as it is, also without those, and one that was interrupted before its badge events or during its forecasts is
 * completed. A failure is printed, and does not end the fleet.
 */
export async function startSample(
  { credentials }: Pick<LocalFleet, 'credentials'>,
  context: StartContext,
): Promise<void> {
  const cleanup = new AsyncDisposableStack()
  const print = (line: string) => context.print(`sample: ${line}`)
  const { base_url: baseUrl, api_key: apiKey, workspace_id: workspaceId } = credentials
  const client = createClient({ baseUrl, credential: { apiKey } })
  try {
    // Badge events are the last dataset that is created.
    if ((await findSampleDataset(client, 'badgeEvents')) !== undefined) {
      const unplanned = await findUnplannedSite(client)
      if (unplanned !== undefined) return await planSample({ client, print, signal: context.signal }, unplanned)
      print('the made company is already in the workspace; npm run demo -- --workplace prints its figures')
      return
    }
    print(`loading a made company into ${workspaceId}`)
    const company = await writeSampleCompany(await chooseSampleSize(client, Date.now()), cleanup)
    const load = { client, print, signal: context.signal }
    const { spaceIds } = await loadSample(load, company)
    const siteId = spaceIds.get(company.truth.spaces[0]?.id ?? '')
    if (siteId !== undefined) await planSample(load, siteId)
    print('loaded; npm run demo -- --workplace prints its figures, npm run demo -- --workplace --remove deletes it')
  } catch (error) {
    if (!context.signal.aborted) print(`not loaded: ${describeError(error)}`)
  } finally {
    await cleanup.disposeAsync()
  }
}
