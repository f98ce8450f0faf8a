import { type Client, createClient } from '@wp/client'
import { describeError } from '../demo-error.ts'
import type { LocalFleet, StartContext } from '../fleet.ts'
import { type LoadContext, loadSample } from './load-sample.ts'
import { chooseSampleSize, writeSampleCompany } from './sample-company.ts'
import { findSampleDataset, sampleRunPrefix } from './sample-ids.ts'
import { waitForJob } from './wait-for-job.ts'

const timezone = 'Europe/Berlin'

/** The key of the metadata of each forecast of the sample that names the site of its daily plan. */
const siteKey = 'sample_site'

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

/**
 * Makes of a loaded sample what a manager would ask for first: forecasts of floors and teams and the daily plan of a
 * site. The platform makes a scenario for each site of the forecast of teams. `removeSample` deletes all of them. What
 * an earlier run has made is kept, so that it can be run again after an interruption.
 * @throws DemoError or ApiError from the first step that fails
 */
export async function planSample(context: LoadContext, siteId: string, horizonDays = 14): Promise<void> {
  const { client, print } = context
  for (const level of ['floor', 'team'] as const) await forecast(context, level, siteId, horizonDays)
  print(`forecasts of floors and teams for ${horizonDays} days`)
  const schedule = { name: 'Sample: every morning', space_id: siteId }
  const { id } = await client.solutions.createPlanSchedule({ body: schedule })
  await client.solutions.runPlanSchedule({ params: { id } })
  print('a daily plan')
}

/** Returns the site of a sample whose forecasts were begun, and that has no daily plan; undefined for any other. */
export async function findUnplannedSite(client: Client): Promise<string | undefined> {
  const { items } = await client.solutions.listForecastRuns({ query: { external_id: `${sampleRunPrefix}floor` } })
  const siteId = items[0]?.metadata[siteKey]
  if (siteId === undefined) return undefined
  const schedules = await client.solutions.listPlanSchedules({ query: { space_id: siteId } })
  return schedules.items.length === 0 ? siteId : undefined
}

async function forecast(
  { client, signal }: LoadContext,
  level: 'floor' | 'team',
  siteId: string,
  horizon: number,
): Promise<void> {
  const external_id = `${sampleRunPrefix}${level}`
  const { items } = await client.solutions.listForecastRuns({ query: { external_id, status: 'finished' } })
  if (items.length > 0) return
  const metadata = { [siteKey]: siteId }
  const body = { workplace: { level }, frequency: 'day', timezone, horizon, external_id, metadata } as const
  const { id } = await client.solutions.startForecastRun({ body })
  await waitForJob(`the forecast by ${level}`, () => client.solutions.getForecastRun({ params: { id } }), signal)
}
