import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { Problem } from '@wp/contracts'
import { newId } from '@wp/database'
import { eventually } from '@wp/testkit'
import { getJob, JobConflict, jobFields, listJobs } from '../src/index.ts'
import { openTestEnvironment, type TestEnvironment } from './fixture/test-environment.ts'
import { queue } from './fixture/test-jobs.ts'

let environment: TestEnvironment
beforeAll(async () => {
  environment = await openTestEnvironment()
})
afterEach(() => environment.clear())
afterAll(() => environment.close())

describe('an exclusive job', () => {
  it('prevents a second job with its key until it has ended', async () => {
    const workspaceId = newId('ws')
    const first = await environment.enqueue({ exclusive: 'src_1' }, workspaceId)
    await expect(environment.enqueue({ exclusive: 'src_1' }, workspaceId)).rejects.toThrow(JobConflict)
    const conflict = new Problem('sync_running')
    await expect(environment.enqueue({ exclusive: 'src_1', conflict }, workspaceId)).rejects.toBe(conflict)
    await environment.enqueue({ exclusive: 'src_2' }, workspaceId)
    await environment.enqueue({ exclusive: 'src_1', queue: 'another' }, workspaceId)

    const end = Promise.withResolvers<void>()
    await environment.runner({ handle: () => end.promise })
    await eventually(async () => (await environment.job(first.id)).state === 'running')
    await expect(environment.enqueue({ exclusive: 'src_1' }, workspaceId)).rejects.toThrow(JobConflict)
    end.resolve()
    await eventually(async () => (await environment.job(first.id)).state === 'finished')
    await environment.enqueue({ exclusive: 'src_1' }, workspaceId)
  })
})

describe('a job as a resource', () => {
  it('has the fields of the contract', async () => {
    const metadata = { team: 'north' }
    const job = await environment.enqueue({ input: ['a', { b: 1 }], metadata, externalId: 'x-1', subject: 'src_1' })
    expect(job).toMatchObject({ input: ['a', { b: 1 }], metadata, externalId: 'x-1', subject: 'src_1', caller: null })
    expect(jobFields(job)).toEqual({
      status: 'queued',
      progress: 0,
      error: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      started_at: null,
      finished_at: null,
    })
    await environment.runner({ handle: async () => {} })
    await eventually(async () => (await environment.job(job.id)).state === 'finished')
    const done = await environment.database.read({ workspaceId: job.workspaceId }, (_db, query) => getJob(query, job))
    if (done === null) throw new Error('the job does not exist')
    expect(jobFields(done)).toMatchObject({ status: 'finished', progress: 1, started_at: expect.any(String) })
  })

  it('is visible only in its workspace and queue', async () => {
    const job = await environment.enqueue()
    const get = (scope: string, key: Partial<typeof job> = {}) =>
      environment.database.read({ workspaceId: scope }, (_db, query) => getJob(query, { ...job, ...key }))
    expect(await get(job.workspaceId)).toMatchObject({ id: job.id })
    expect(await get(job.workspaceId, { queue: 'another' })).toBeNull()
    // Row-level security applies even if the condition of the query names the other workspace.
    expect(await get(newId('ws'))).toBeNull()
  })

  it('is listed in pages, newest first, filtered by state, subject and external id', async () => {
    const workspaceId = newId('ws')
    await environment.enqueue()
    const ids: string[] = []
    for (let n = 0; n < 7; n += 1)
      ids.unshift(
        (await environment.enqueue({ subject: n < 3 ? 'src_1' : 'src_2', externalId: `x-${n}` }, workspaceId)).id,
      )
    await environment.queryAsAdmin(`UPDATE platform.jobs SET created_at = date_trunc('hour', created_at)`)
    const list = (filter: Partial<Parameters<typeof listJobs>[1]> = {}) =>
      environment.database.read({ workspaceId }, (_db, query) =>
        listJobs(query, { workspaceId, queue, limit: 3, ...filter }),
      )
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const { items, nextCursor } = await list({ cursor })
      seen.push(...items.map(({ id }) => id))
      cursor = nextCursor ?? undefined
    } while (cursor !== undefined)
    expect(seen).toEqual([...ids].sort().reverse())
    expect((await list({ subject: 'src_1', limit: 100 })).items).toHaveLength(3)
    expect((await list({ externalId: 'x-4' })).items).toHaveLength(1)
    expect((await list({ state: 'finished' })).items).toEqual([])
    const withSeries = { input: { asked: 'a', series: [1, 2], more: true }, externalId: 'x-9' }
    await environment.enqueue(withSeries, workspaceId)
    await environment.queryAsAdmin(
      `UPDATE platform.jobs SET result = '{"large": true, "small": 1}' WHERE external_id = 'x-9'`,
    )
    const only = { externalId: 'x-9', state: 'queued' } as const
    expect((await list(only)).items).toMatchObject([{ input: withSeries.input, result: { large: true, small: 1 } }])
    const [partial] = (await list({ ...only, omit: { result: true, input: ['series', 'more'] } })).items
    expect(partial).toMatchObject({ input: { asked: 'a' }, result: null })
    expect(partial?.input).toEqual({ asked: 'a' })
    expect((await list({ ...only, omit: { result: ['large'] } })).items).toMatchObject([{ result: { small: 1 } }])
    const asked = async (text: string) => (await list({ limit: 100, contains: { member: 'asked', text } })).items.length
    expect([await asked('A'), await asked('%'), await asked('b')]).toEqual([1, 0, 0])
    await expect(list({ cursor: 'nonsense' })).rejects.toMatchObject({ code: 'invalid_cursor' })
  })
})
