import { afterAll, describe, expect, it } from '@jest/globals'
import { quotas } from '@wp/contracts'
import {
  countRows,
  newId,
  type Query,
  readQuotaUsage,
  type StoredPlanLimits,
  setQuotaLimit,
  storePlanLimits,
  workerQuery,
} from '../src/index.ts'
import { caller, createFixtureDatabase } from './fixture/database.ts'

const fixture = await createFixtureDatabase()
afterAll(() => fixture.drop())

const counted = [countRows('sources', 'projects'), countRows('agents', 'projects')]

const limits = (version: number, sources: number): StoredPlanLimits => ({
  plan: 'team',
  version,
  credentialPerMinute: 1_200,
  workspacePerMinute: { data: 6_000 },
  quotas: { sources },
  auditRetentionDays: 365,
})

const store = (workspaceId: string, version: number, sources: number) =>
  fixture.database.transact(caller({ workspaceId }), (tx) =>
    storePlanLimits(tx.query, workspaceId, limits(version, sources)),
  )

const limitsOf = async (workspaceId: string) =>
  (await fixture.database.read({ workspaceId }, (_db, query) => readQuotaUsage(query, workspaceId, counted))).map(
    ({ limit }) => limit,
  )

const asWorker: Query = (text, values) => workerQuery(fixture.database.worker)(text, values)

describe('the limits of a plan', () => {
  it('replace the default of the quotas they name, in that workspace', async () => {
    const [workspaceId, other] = [newId('ws'), newId('ws')]
    expect(await store(workspaceId, 1, 400)).toBe(true)
    expect(await limitsOf(workspaceId)).toEqual([400, quotas.agents.limit])
    expect(await limitsOf(other)).toEqual([quotas.sources.limit, quotas.agents.limit])
  })

  it('ignore the same and an earlier version', async () => {
    const workspaceId = newId('ws')
    expect(await store(workspaceId, 2, 400)).toBe(true)
    expect(await store(workspaceId, 2, 1)).toBe(false)
    expect(await store(workspaceId, 1, 1)).toBe(false)
    expect((await limitsOf(workspaceId))[0]).toBe(400)
    expect(await store(workspaceId, 3, 50)).toBe(true)
    expect((await limitsOf(workspaceId))[0]).toBe(50)
  })

  it('give way to a limit that operators set, and return when it is removed', async () => {
    const workspaceId = newId('ws')
    await setQuotaLimit(asWorker, workspaceId, 'sources', 7)
    await store(workspaceId, 1, 400)
    expect((await limitsOf(workspaceId))[0]).toBe(7)
    await setQuotaLimit(asWorker, workspaceId, 'sources', null)
    expect((await limitsOf(workspaceId))[0]).toBe(400)
  })
})
