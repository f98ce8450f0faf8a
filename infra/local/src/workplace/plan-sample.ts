import type { Client } from '@wp/client'
import type { LoadContext } from './load-sample.ts'
import { sampleRunPrefix } from './sample-ids.ts'
import { waitForJob } from './wait-for-job.ts'

const timezone = 'Europe/Berlin'

/** The key of the metadata of each forecast of the sample that names the site of its daily plan. */
const siteKey = 'sample_site'

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
