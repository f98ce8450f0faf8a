import { afterAll, describe, expect, it } from '@jest/globals'
import { newId } from '@wp/database'
import { setTestQuota, type TestResponse } from '@wp/testkit'
import { startTestAuth, subject } from '../fixture/auth.ts'

// Concurrent requests wait for each other's locks with a connection each.
const auth = await startTestAuth({ DATABASE_POOL_SIZE: '8' })
afterAll(() => auth.stop())

type Quota = Parameters<typeof setTestQuota>[2]

const limit = (owner: string, quota: Quota, maximum: number) =>
  setTestQuota(auth.service.env.DATABASE_WORKER_URL, owner, quota, maximum)

/** Returns the number of responses by status, and the body of a refusal. */
function summarize(responses: TestResponse[]) {
  const created = responses.filter(({ status }) => status === 201).length
  return { created, refusal: responses.find(({ status }) => status === 403)?.body }
}

const times = (count: number, request: () => Promise<TestResponse>) =>
  Promise.all(Array.from({ length: count }, request))

describe('the quota of API keys', () => {
  it('admits exactly one of 50 concurrent creations when one is left, and another once a key is deleted', async () => {
    const { workspaceId, owner: caller } = await auth.workspace()
    await limit(workspaceId, 'api_keys', 3)
    const create = () => auth.request('POST', '/v1/auth/api-key', { caller })
    const [first] = await Promise.all([create(), create()])
    const { created, refusal } = summarize(await times(50, create))
    expect(created).toBe(1)
    expect(refusal).toMatchObject({
      code: 'quota_exceeded',
      detail: 'The workspace has 3 API keys; 1 more would exceed the limit of 3',
      quota: 'api_keys',
      limit: 3,
      current: 3,
    })
    await auth.request('DELETE', `/v1/auth/api-key/${first?.body.data.key_id}`, { caller })
    expect((await create()).status).toBe(201)
  })
})

describe('the quota of service principals', () => {
  it('admits exactly one of 50 concurrent creations when one is left', async () => {
    const { workspaceId, owner: caller } = await auth.workspace()
    await limit(workspaceId, 'service_principals', 2)
    const body = { name: 'Robot', scopes: ['data:read'] }
    const create = () => auth.request('POST', '/v1/auth/admin/service-principals', { caller, body })
    await create()
    const { created, refusal } = summarize(await times(50, create))
    expect(created).toBe(1)
    expect(refusal).toMatchObject({ code: 'quota_exceeded', quota: 'service_principals', limit: 2, current: 2 })
  })
})

describe('the quota of workspaces', () => {
  async function createUser() {
    const userId = newId('usr')
    await auth.rows('INSERT INTO users (user_id, email) VALUES ($1, $2)', [userId, `${userId}@example.test`])
    const caller = { ...subject('user', userId, auth.seeded.workspace_id, auth.context.shard), workspaceId: null }
    return { userId, create: () => auth.request('POST', '/v1/system/workspaces', { caller, body: { name: 'One' } }) }
  }

  it('is 10 for each user', async () => {
    const { create } = await createUser()
    const { created, refusal } = summarize(await times(50, create))
    expect(created).toBe(10)
    expect(refusal).toMatchObject({
      detail: 'You have 10 workspaces; 1 more would exceed the limit of 10',
      quota: 'workspaces',
      limit: 10,
      current: 10,
    })
    expect((await (await createUser()).create()).status).toBe(201)
  })

  it('can be raised for a user', async () => {
    const { userId, create } = await createUser()
    await limit(userId, 'workspaces', 12)
    expect(summarize(await times(20, create)).created).toBe(12)
  })
})

describe('the internal report of quotas', () => {
  it('counts what exists, not what was deleted, and is for the system service alone', async () => {
    const { owner: caller } = await auth.workspace()
    const key = await auth.request('POST', '/v1/auth/api-key', { caller })
    await auth.request('POST', '/v1/auth/api-key', { caller })
    await auth.request('DELETE', `/v1/auth/api-key/${key.body.data.key_id}`, { caller })
    const read = (signer: 'system' | 'data') => auth.request('GET', '/internal/auth/quota-usage', { caller, signer })
    expect((await read('data')).status).toBe(403)
    expect((await read('system')).body.data.quotas).toEqual([
      { quota: 'workspaces', kind: null, limit: 10, current: 1 },
      { quota: 'seats', kind: null, limit: 10, current: 1 },
      { quota: 'api_keys', kind: null, limit: 200, current: 1 },
      { quota: 'service_principals', kind: null, limit: 50, current: 0 },
    ])
  })
})
