import { expect } from '@jest/globals'
import { newId } from '@wp/database'
import { eventually } from '@wp/testkit'
import type { Harness } from '../fixture/harness.ts'
import { workplace } from './forecast-company.ts'

export const schedules = `${workplace}/plan-schedules`

export type Planner = ReturnType<typeof createPlanner>

/** Returns functions that create and run schedules of plans, and read what they made. */
export function createPlanner(harness: Harness) {
  const read = async (path: string) => (await harness.call('GET', `${workplace}/${path}`)).body.data
  const change = async (id: string, body: object) => {
    const { status, body: answer } = await harness.call('PATCH', `${schedules}/${id}`, { body })
    expect({ status, errors: answer.errors }).toEqual({ status: 200, errors: undefined })
    return answer.body ?? answer.data
  }

  async function createSchedule(body: object): Promise<string> {
    const created = await harness.call('POST', schedules, { body })
    if (created.status !== 201) throw new Error(JSON.stringify(created.body))
    return created.body.data.id
  }

  /** Queues the job of a day, as the calendar schedule does. */
  async function queueJob(scheduleId: string, date: string): Promise<string> {
    const id = newId('pls')
    await harness.rows(
      `INSERT INTO platform.jobs (id, queue, workspace_id, subject, input, metadata) VALUES ($1, 'plan', $2, $3, $4, '{}')`,
      [id, harness.fleet.owner.workspaceId, scheduleId, JSON.stringify({ resourceId: scheduleId, date })],
    )
    return id
  }

  async function resultOf(jobId: string) {
    const [job] = await harness.rows<{ state: string; result: Record<string, string>; error: unknown }>(
      'SELECT state, result, error FROM platform.jobs WHERE id = $1',
      [jobId],
    )
    return job
  }

  async function run(scheduleId: string, date: string) {
    const id = await queueJob(scheduleId, date)
    await eventually(async () => ['finished', 'failed'].includes((await resultOf(id))?.state ?? ''))
    const job = await resultOf(id)
    expect(job).toMatchObject({ state: 'finished', error: null })
    return job?.result ?? {}
  }

  const eventsOf = (spaceId: string, date: string) =>
    harness.rows<{ data: Record<string, unknown>; actor: object }>(
      `SELECT data, actor FROM platform.outbox
       WHERE kind = 'WORKPLACE_PLAN_CREATED' AND data ->> 'space_id' = $1 AND data ->> 'date' = $2`,
      [spaceId, date],
    )

  return { read, change, createSchedule, queueJob, resultOf, run, eventsOf }
}
