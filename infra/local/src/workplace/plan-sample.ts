import type { LoadContext } from './load-sample.ts'
import { sampleRunPrefix } from './sample-ids.ts'
import { waitForJob } from './wait-for-job.ts'

const [timezone, horizonDays] = ['Europe/Berlin', 14]

/**
 * Makes of a loaded sample what a manager would ask for first: forecasts of floors and teams and the daily plan of a
 * site. The platform makes a scenario for each site of the forecast of teams. `removeSample` deletes all of them.
 * @throws DemoError or ApiError from the first step that fails
 */
export async function planSample(context: LoadContext, siteId: string): Promise<void> {
  const { client, print } = context
  await forecast(context, 'floor')
  await forecast(context, 'team')
  print(`forecasts of floors and teams for ${horizonDays} days`)
  const schedule = { name: 'Sample: every morning', space_id: siteId }
  const { id } = await client.solutions.createPlanSchedule({ body: schedule })
  await client.solutions.runPlanSchedule({ params: { id } })
  print('a daily plan')
}

async function forecast({ client, signal }: LoadContext, level: 'floor' | 'team'): Promise<void> {
  const external_id = `${sampleRunPrefix}${level}`
  const body = { workplace: { level }, frequency: 'day', timezone, horizon: horizonDays, external_id } as const
  const { id } = await client.solutions.startForecastRun({ body })
  await waitForJob(`the forecast by ${level}`, () => client.solutions.getForecastRun({ params: { id } }), signal)
}
