import type { LoadContext } from './load-sample.ts'
import { sampleRunPrefix } from './sample-ids.ts'
import { waitForJob } from './wait-for-job.ts'

const timezone = 'Europe/Berlin'

/**
 * Makes of a loaded sample what a manager would ask for first: forecasts of floors and teams and the daily plan of a
 * site. The platform makes a scenario for each site of the forecast of teams. `removeSample` deletes all of them.
 * @throws DemoError or ApiError from the first step that fails
 */
export async function planSample(context: LoadContext, siteId: string, horizonDays = 14): Promise<void> {
  const { client, print } = context
  for (const level of ['floor', 'team'] as const) await forecast(context, level, horizonDays)
  print(`forecasts of floors and teams for ${horizonDays} days`)
  const schedule = { name: 'Sample: every morning', space_id: siteId }
  const { id } = await client.solutions.createPlanSchedule({ body: schedule })
  await client.solutions.runPlanSchedule({ params: { id } })
  print('a daily plan')
}

async function forecast({ client, signal }: LoadContext, level: 'floor' | 'team', horizon: number): Promise<void> {
  const external_id = `${sampleRunPrefix}${level}`
  const body = { workplace: { level }, frequency: 'day', timezone, horizon, external_id } as const
  const { id } = await client.solutions.startForecastRun({ body })
  await waitForJob(`the forecast by ${level}`, () => client.solutions.getForecastRun({ params: { id } }), signal)
}
