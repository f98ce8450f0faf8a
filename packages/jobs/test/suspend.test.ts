import { afterAll, afterEach, describe, expect, it } from '@jest/globals'
import { newId } from '@wp/database'
import { eventually } from '@wp/testkit'
import { type Job, type JobControl, resumeJob } from '../src/index.ts'
import { openTestEnvironment } from './fixture/test-environment.ts'
import { queue } from './fixture/test-jobs.ts'

const environment = await openTestEnvironment()
afterEach(() => environment.clear())
afterAll(() => environment.close())

const hourMs = 3_600_000

/** Suspends at the first attempt and finishes at the second. */
async function suspendOnce(job: Job, control: JobControl): Promise<void> {
  if (job.detail.isSuspended === true) return
  await control.progress(0.5, { isSuspended: true })
  await control.suspend(hourMs, async (tx) => {
    await tx.query('INSERT INTO effects (workspace_id, job_id, note) VALUES ($1, $2, $3)', [
      job.workspaceId,
      job.id,
      'suspended',
    ])
  })
}

const resume = (job: Pick<Job, 'id' | 'workspaceId'>) =>
  environment.database.transact(
    {
      principal: { id: 'svc:test', type: 'service' },
      credentialId: 'svc:test',
      workspaceId: job.workspaceId,
      shard: 'test',
      location: 'TST',
      scopes: [],
      requestId: 'test',
    },
    (tx) => resumeJob(tx, { id: job.id, queue, workspaceId: job.workspaceId }),
  )

describe('a suspended job', () => {
  it('has written its work, holds no slot and counts no attempt', async () => {
    await environment.runner({ handle: suspendOnce, concurrency: 1 })
    const first = await environment.enqueue()
    await eventually(async () => (await environment.job(first.id)).progress === 0.5)
    await eventually(async () => (await environment.job(first.id)).state === 'queued')
    const effects = await environment.queryAsAdmin('SELECT note FROM effects WHERE job_id = $1', [first.id])
    expect(effects).toEqual([{ note: 'suspended' }])
    const job = await environment.queryAsAdmin(
      `SELECT failures, lost_leases, run_at > now() + interval '30 minutes' AS "isLater" FROM platform.jobs WHERE id = $1`,
      [first.id],
    )
    expect(job).toEqual([{ failures: 0, lost_leases: 0, isLater: true }])
    const second = await environment.enqueue()
    await eventually(async () => (await environment.job(second.id)).progress === 0.5)
  })

  it('continues when it is resumed, in its own workspace only', async () => {
    await environment.runner({ handle: suspendOnce })
    const job = await environment.enqueue()
    await eventually(async () => (await environment.job(job.id)).progress === 0.5)
    await eventually(async () => (await environment.job(job.id)).state === 'queued')
    expect(await resume({ ...job, workspaceId: newId('ws') })).toBe(false)
    expect(await resume(job)).toBe(true)
    await eventually(async () => (await environment.job(job.id)).state === 'finished')
    expect(await resume(job)).toBe(false)
  })

  it('writes nothing if its lease is lost', async () => {
    const results: unknown[] = []
    await environment.runner({
      handle: async (job, control) => {
        await environment.queryAsAdmin(`UPDATE platform.jobs SET lease_token = 'another' WHERE id = $1`, [job.id])
        await suspendOnce(job, control).catch((error: Error) => results.push(error.name))
        throw new Error('ended')
      },
    })
    const job = await environment.enqueue()
    await eventually(() => results.length > 0)
    expect(results).toEqual(['LeaseLost'])
    expect(await environment.queryAsAdmin('SELECT note FROM effects WHERE job_id = $1', [job.id])).toEqual([])
  })
})
