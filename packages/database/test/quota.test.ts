import { afterAll, describe, expect, it } from '@jest/globals'
import { Problem, quotas } from '@wp/contracts'
import {
  addDailyUse,
  type CountedQuota,
  countRows,
  dailyQuota,
  enforceQuota,
  enforceQuotas,
  fitsQuota,
  listQuotaLimits,
  newId,
  type Query,
  readQuotaUsage,
  setQuotaLimit,
  workerQuery,
} from '../src/index.ts'
import { barrier, caller, createFixtureDatabase } from './fixture/database.ts'

const fixture = await createFixtureDatabase()
afterAll(() => fixture.drop())

const projects = countRows('sources', 'projects')

/** Creates projects in one transaction that enforces the quota. */
const create = (workspaceId: string, count = 1, beforeCheck: () => Promise<void> = async () => {}) =>
  fixture.database.transact(caller({ workspaceId }), async ({ db, query }) => {
    for (let n = 0; n < count; n++)
      await db.project.create({ data: { id: newId('src'), workspaceId, name: 'Harbour' } })
    await beforeCheck()
    await enforceQuotas(query, workspaceId, [{ quota: projects, added: count }])
  })

const asWorker: Query = (text, values) => workerQuery(fixture.database.worker)(text, values)

const limit = (workspaceId: string, quota: CountedQuota, maximum: number | null) =>
  setQuotaLimit(asWorker, workspaceId, quota.quota, maximum)

const useOf = async (workspaceId: string, quota: CountedQuota) =>
  (await fixture.database.read({ workspaceId }, (_db, query) => readQuotaUsage(query, workspaceId, [quota])))[0]

const problemOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => (error instanceof Problem ? { code: error.code, detail: error.detail, ...error.extra } : error),
  )

describe('a quota of rows', () => {
  it('has the default of the contracts, and another limit where one is set', async () => {
    const workspaceId = newId('ws')
    expect(await useOf(workspaceId, projects)).toEqual({
      quota: 'sources',
      kind: null,
      limit: quotas.sources.limit,
      current: 0,
    })
    await limit(workspaceId, projects, 2)
    expect(await useOf(workspaceId, projects)).toMatchObject({ limit: 2 })
    expect(await useOf(newId('ws'), projects)).toMatchObject({ limit: quotas.sources.limit })
    expect(await listQuotaLimits(asWorker, workspaceId)).toEqual([{ quota: 'sources', maximum: 2 }])
    await limit(workspaceId, projects, null)
    expect(await useOf(workspaceId, projects)).toMatchObject({ limit: quotas.sources.limit })
  })

  it('rejects what would exceed it, with limit and current use, and stores nothing of it', async () => {
    const workspaceId = newId('ws')
    await limit(workspaceId, projects, 3)
    await create(workspaceId, 2)
    expect(await problemOf(create(workspaceId, 2))).toEqual({
      code: 'quota_exceeded',
      detail: 'The workspace has 2 data sources; 2 more would exceed the limit of 3',
      quota: 'sources',
      limit: 3,
      current: 2,
    })
    expect(await useOf(workspaceId, projects)).toMatchObject({ current: 2 })
  })

  it('admits exactly one of 50 concurrent creations when one is left', async () => {
    const workspaceId = newId('ws')
    await limit(workspaceId, projects, 4)
    await create(workspaceId, 3)
    const results = await Promise.allSettled(Array.from({ length: 50 }, () => create(workspaceId)))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await useOf(workspaceId, projects)).toMatchObject({ current: 4 })
  })

  it('admits exactly one of the transactions that have all inserted before the first is checked', async () => {
    const workspaceId = newId('ws')
    await limit(workspaceId, projects, 1)
    const allInserted = barrier(3)
    const results = await Promise.allSettled(Array.from({ length: 3 }, () => create(workspaceId, 1, allInserted)))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await useOf(workspaceId, projects)).toMatchObject({ current: 1 })
  })

  it('is not affected by another workspace', async () => {
    const [mine, other] = [newId('ws'), newId('ws')]
    await limit(mine, projects, 1)
    await create(other, 3)
    await create(mine)
    expect(await problemOf(create(mine))).toMatchObject({ current: 1 })
    expect(await problemOf(create(other))).toBeUndefined()
  })

  it('does not refuse a change that adds nothing when the use is over a lowered limit', async () => {
    const workspaceId = newId('ws')
    await create(workspaceId, 3)
    await limit(workspaceId, projects, 1)
    const change = (added: number) =>
      fixture.database.transact(caller({ workspaceId }), ({ query }) =>
        enforceQuotas(query, workspaceId, [{ quota: projects, added }]),
      )
    expect(await problemOf(change(0))).toBeUndefined()
    expect(await problemOf(change(-1))).toBeUndefined()
    expect(await problemOf(change(1))).toMatchObject({ code: 'quota_exceeded', limit: 1 })
  })

  it('can be asked for one more without an error', async () => {
    const workspaceId = newId('ws')
    await limit(workspaceId, projects, 1)
    const fits = () =>
      fixture.database.transact(caller({ workspaceId }), ({ query }) => fitsQuota(query, workspaceId, projects))
    expect(await fits()).toBe(true)
    await create(workspaceId)
    expect(await fits()).toBe(false)
  })
})

describe('the limit of a workspace', () => {
  it('cannot be read by another workspace, nor written by a request', async () => {
    const [mine, other] = [newId('ws'), newId('ws')]
    await limit(other, projects, 7)
    expect(await fixture.database.read({ workspaceId: mine }, (_db, query) => listQuotaLimits(query, other))).toEqual(
      [],
    )
    await expect(
      fixture.database.transact(caller({ workspaceId: mine }), ({ query }) =>
        setQuotaLimit(query, mine, 'sources', 1_000_000),
      ),
    ).rejects.toThrow('permission denied')
  })
})

describe('a quota of a day', () => {
  const monday = Date.parse('2026-01-05T23:59:59.999Z')
  const upload = (workspaceId: string, now: number, amount: number) =>
    fixture.database.transact(caller({ workspaceId }), async ({ query }) => {
      const quota = dailyQuota('uploaded_bytes_per_day', now)
      await addDailyUse(query, workspaceId, quota, amount)
      await enforceQuotas(query, workspaceId, [{ quota, added: amount }])
    })

  it('counts from 0 in each UTC day, and keeps no count of the days before', async () => {
    const workspaceId = newId('ws')
    await limit(workspaceId, dailyQuota('uploaded_bytes_per_day', monday), 100)
    await upload(workspaceId, monday, 90)
    expect(await problemOf(upload(workspaceId, monday, 11))).toMatchObject({ limit: 100, current: 90 })
    await upload(workspaceId, monday + 1, 11)
    expect(await useOf(workspaceId, dailyQuota('uploaded_bytes_per_day', monday + 1))).toMatchObject({ current: 11 })
    expect(await useOf(workspaceId, dailyQuota('uploaded_bytes_per_day', monday))).toMatchObject({ current: 0 })
  })

  it('admits no more than the limit when many add concurrently, and takes back what was not used', async () => {
    const workspaceId = newId('ws')
    await limit(workspaceId, dailyQuota('uploaded_bytes_per_day', monday), 100)
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => upload(workspaceId, monday, 30)))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    await upload(workspaceId, monday, -25)
    expect(await useOf(workspaceId, dailyQuota('uploaded_bytes_per_day', monday))).toMatchObject({ current: 65 })
    await upload(workspaceId, monday, -1000)
    expect(await useOf(workspaceId, dailyQuota('uploaded_bytes_per_day', monday))).toMatchObject({ current: 0 })
  })
})

describe('enforceQuota', () => {
  it('counts what its own transaction created', async () => {
    const workspaceId = newId('ws')
    await limit(workspaceId, projects, 1)
    const createOne = () =>
      fixture.database.transact(caller({ workspaceId }), async ({ db, query }) => {
        await db.project.create({ data: { id: newId('src'), workspaceId, name: 'Harbour' } })
        await enforceQuota(query, workspaceId, projects)
      })
    expect(await problemOf(createOne())).toBeUndefined()
    expect(await problemOf(createOne())).toMatchObject({ limit: 1, current: 1 })
  })
})
